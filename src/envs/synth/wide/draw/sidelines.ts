/**
 * What can be added to a record of any kind, in the notation of vocabularies, with the ways to ask for it. Names in
 * braces are fields of what is added; `{x}` is the record.
 */
export interface Sideline {
  readonly words: string;
  readonly labels: readonly string[];
  readonly orders: readonly string[];
  readonly facts: readonly string[];
}

const sentences =
  '"Please call back|The key is at the desk|Nobody was at home|The bill is open|Everything is ready|It was too late|The colour is wrong|They will come again|The form is missing|All went well|Two pieces are broken|The door was locked"';
const people = '@person';

export const sidelines: readonly Sideline[] = [
  {
    words: `comment/comments in {parent}: Comment = ${sentences}`,
    labels: ['Add comment', 'Comment', 'Post comment', 'Write a comment'],
    orders: [
      'comment on {x}: "{comment}"',
      'add the comment "{comment}" to {x}',
      'write "{comment}" as a comment on {x}',
      'leave a comment on {x} that says "{comment}"',
    ],
    facts: ['{x} needs the comment "{comment}"', 'there is news about {x}: "{comment}"'],
  },
  {
    words: `reminder/reminders in {parent}: About = "Ring them|Send the papers|Check the stock|Renew the contract|Ask for the money|Bring the keys|Order more|Say thanks"\n  Day: @date`,
    labels: ['Remind me', 'Add reminder', 'Set reminder', 'New reminder'],
    orders: [
      'set a reminder for {x} on {day}: "{about}"',
      'remind me of {x} on {day} ("{about}")',
      'add the reminder "{about}" to {x} for {day}',
    ],
    facts: ['on {day} something is to be done for {x}: "{about}"', 'I must not forget "{about}" for {x} on {day}'],
  },
  {
    words: `reservation/reservations in {parent}: For = ${people}\n  Places: 1..9`,
    labels: ['Reserve', 'Put on the list', 'Book', 'Hold'],
    orders: [
      'reserve {x} for {for} ({places} places)',
      'put {for} on the list for {x} with {places} places',
      'book {places} places at {x} for {for}',
    ],
    facts: ['{for} wants {places} places at {x}', '{for} asked for {x}, {places} places'],
  },
  {
    words: `request/requests in {parent}: Person = ${people}`,
    labels: ['Add to waiting list', 'Sign up', 'Request', 'Add person', 'Subscribe'],
    orders: [
      'put {person} on the waiting list of {x}',
      'add {person} to {x}',
      'sign {person} up for {x}',
      'register {person} for {x}',
    ],
    facts: ['{person} wants {x}', '{person} asked to be told about {x}', '{person} would like to be next for {x}'],
  },
  {
    words: `payment/payments in {parent}: From = ${people}\n  Amount: 5..900; Method: Cash|Card|Transfer|Cheque`,
    labels: ['Record payment', 'Pay', 'Add payment', 'Take payment'],
    orders: [
      'record that {from} paid {amount} for {x} by {method}',
      'enter a payment of {amount} from {from} for {x}, method {method}',
      'book {amount} from {from} on {x} ({method})',
    ],
    facts: ['{from} has paid {amount} for {x}, {method}', 'we got {amount} from {from} for {x} ({method})'],
  },
  {
    words: `rating/ratings in {parent}: Opinion = "Very good|Could be better|Just right|Not again|A pleasure|Too slow|Worth it|As expected"\n  Stars: 1|2|3|4|5`,
    labels: ['Rate', 'Write a review', 'Review', 'Leave a rating'],
    orders: [
      'rate {x} with {stars} stars: "{opinion}"',
      'give {x} {stars} stars and write "{opinion}"',
      'write a review of {x}, {stars} stars, "{opinion}"',
    ],
    facts: ['I would give {x} {stars} stars: "{opinion}"'],
  },
  {
    words: `message/messages in {parent}: Message = ${sentences}`,
    labels: ['Send', 'Reply', 'Send message', 'Write back'],
    orders: [
      'write to {x}: "{message}"',
      'send {x} the message "{message}"',
      'reply to {x} with "{message}"',
      'tell {x} this: "{message}"',
    ],
    facts: ['{x} waits for an answer: "{message}"'],
  },
  {
    words: `defect/defects in {parent}: Problem = "Scratch on the side|Wheel is loose|Does not start|Smells odd|Lamp is out|Lid is missing|Makes a noise|Leaks at night"\n  Severity: Minor|Serious|Urgent`,
    labels: ['Report defect', 'Report a problem', 'Add defect', 'Complain'],
    orders: [
      'report a defect of {x}: "{problem}", {severity}',
      'add the defect "{problem}" ({severity}) to {x}',
      'file a {severity} problem for {x}: "{problem}"',
    ],
    facts: ['something is wrong with {x}: "{problem}" ({severity})', '{x} has a {severity} defect, "{problem}"'],
  },
  {
    words: `tag/tags in {parent}: Tag = "urgent|family|north side|paid twice|regular|trial|winter|to sort|quiet|returned"`,
    labels: ['Add tag', 'Tag', 'Label as', 'Attach label'],
    orders: ['tag {x} as "{tag}"', 'put the tag "{tag}" on {x}', 'label {x} "{tag}"', 'add "{tag}" to the tags of {x}'],
    facts: ['{x} belongs to "{tag}"', '{x} should carry the tag "{tag}"'],
  },
  {
    words: `visit/visits in {parent}: Visitor = ${people}\n  Day: @date; Time: @time`,
    labels: ['Plan a visit', 'Book visit', 'Add appointment', 'New appointment'],
    orders: [
      'plan a visit of {visitor} to {x} on {day} at {time}',
      'book {visitor} in with {x} for {day}, {time}',
      'add an appointment to {x}: {visitor}, {day}, {time}',
    ],
    facts: [
      '{visitor} comes to see {x} on {day} at {time}',
      'on {day} at {time} {visitor} has an appointment with {x}',
    ],
  },
];
