/** Texts of the seeded mail. In a letter `//` starts a new line; `{…}` is filled in by the seed. */
export interface Letter {
  readonly subject: string;
  readonly body: string;
  readonly file: string | null;
}

/** A letter that always comes from the same service. */
export interface ServiceLetter extends Letter {
  readonly sender: string;
  readonly from: string;
}

const lines = (block: string): string[][] =>
  block
    .trim()
    .split('\n')
    .map(line => line.split('|').map(part => part.trim().replaceAll(' // ', '\n')));

const letters = (block: string): Letter[] =>
  lines(block).map(([subject = '', body = '', file = '']) => ({ subject, body, file: file === '' ? null : file }));

const serviceLetters = (block: string): ServiceLetter[] =>
  lines(block).map(([sender = '', from = '', subject = '', body = '', file = '']) => ({
    sender,
    from,
    subject,
    body,
    file: file === '' ? null : file,
  }));

export const personalLetters = letters(`
Budget review moved to {day} | Hi, // the budget review is now on {day} at ten, same room. // Please bring the travel figures. | budget-draft.xlsx
Notes from the planning meeting on {day} | Hello, // here are my notes. We agreed to cut the second pilot and to keep the launch date. // Shout if I got something wrong. | planning-notes.pdf
Can you look at the {city} contract? | Hi, // legal sent the {city} contract back with two comments on page four. // Could you look at them before the end of the week? | contract-comments.docx
Desk move on {day} | Hello all, // we swap desks on {day}. Boxes are by the lift, please label yours with your name.
Slides for the {city} conference | Hi, // the slides are attached. The last three are still rough, and I need a better chart for the costs. | conference-slides.pptx
Holiday calendar for {city} | Hello, // does the office close between the holidays this year? The calendar says both.
Interview on {day} afternoon | Hi, // we have a candidate for the support role at three on {day}. Can you take the technical half hour? | candidate-profile.pdf
Broken link on page {n} | Hello, // a customer told me that the yearly plan leads to an empty page. It works for me in a private window, odd.
Who has projector {n}? | Hi, // the small projector is not in its cupboard. If you have it, please bring it back before {day}.
Handover before my trip to {city} | Hello, // I am away for two weeks. The open points are in the list, the supplier call is the only urgent one. | handover-list.docx
Draft of customer survey {n} | Hi, // twelve questions, five minutes. I would drop the one about age. // What do you think? | survey-draft.docx
Numbers for quarterly report {n} | Hello, // sales are final, support hours are still an estimate. // I will correct them on {day}. | quarter-numbers.xlsx
Server maintenance window {n} | Hello, // window {n} is on {day} from six to eight in the morning. The test systems will be down.
Feedback on guide {n} | Hi, // the guide is good, but the part about access cards is out of date. // I marked three places.
Team lunch on {day} | Hello, // shall we try the noodle place by the station on {day}? They need a number by noon.
Printer ticket {n} | Hi, // it jams with thick paper again. I reported it under ticket {n}.
New logo for the {city} office | Hello, // the designer listened: no gradient, and the letters are readable now. // Which one do you prefer? | logo-variants.png
Parking space {n} | Hi, // space {n} is free from next month. Do you still want it?
Translation of product sheet {n} | Hello, // the Spanish version is ready, the French one comes on {day}. | product-sheet-es.pdf
Safety training is due on {day} | Hello, // you are on the list of people whose safety training ends this month. It takes twenty minutes online.
Workshop in {city} | Hi, // the workshop in {city} is confirmed. I booked the early train, it is cheaper.
Old laptops for the school in {city} | Hello, // we can give away nine laptops. Do you know whether the school in {city} takes them without disks?
Phone list of the {city} office | Hi, // please check your own line in the list and tell me what is wrong. | phone-list.pdf
Agenda for {day} | Hello, // three points: hiring, the move, and the support backlog. // Anything else?
Customer visit from {city} | Hi, // four people from {city} come on {day}. They want to see the workshop and talk about delivery times.
Expense claim {n} sent back | Hello, // claim {n} came back because the hotel receipt is missing. Can you send it again?
Test results for release {n} | Hi, // release {n} passed all but two tests; both are about time zones. // I would ship it. | test-report.html
Photos from {city} | Hello, // I finally sorted them. The one with the watering can is my favourite. | party-photos.zip
Dinner at ours on {day}? | Hi, // we are making the lamb thing again. Come at seven, bring nothing. // The children ask for the card game.
The book about {city} | Hello, // it is called The Salt Roads, and the library has two copies. I can lend you mine next week.
Lift to {city} at the weekend | Hi, // I drive to {city} on Saturday morning and have two seats left. // Are you coming?
Garden shed paint, colour {n} | Hello, // the green you liked is sold out, they have a darker one. I took a picture of the sample. | paint-sample.jpg
Choir rehearsal moved to {day} | Hello, // the hall is taken, so we sing on {day} this once. Please tell the altos.
Plum cake from {city} | Hi, // grandmother never measured anything, but this comes close. Use less sugar than it says. | plum-cake.pdf
Your bicycle is ready on {day} | Hello, // the new chain is on and the brakes are set. You can fetch it any evening.
Football on {day} evening | Hi, // we are nine so far. Can you ask your brother as well?
School trip to {city} | Hello, // we need two more parents for the trip to {city}. The bus leaves at eight. | trip-form.pdf
Keys to allotment {n} | Hi, // I put the keys under the second pot. The tap drips, I will mend it at the weekend.
Birthday present for {day} | Hello, // shall we share the cost of the telescope? It would be twenty each if all six of us join.
Train tickets to {city} | Hi, // cheap tickets to {city} went on sale this morning. // Shall I book for both of us? | timetable.pdf
Old photographs of {city} | Hello, // I found a box in the attic. There is one with the well, before they closed it. | house-1962.jpg
Piano lesson on {day} | Hello, // I have to move the lesson on {day} by half an hour. I hope that is fine.
Street party on {day} | Hi, // the council said yes. We need tables, and somebody with a drill. | street-plan.pdf
Scarf lost in {city} | Hi, // did I leave a grey scarf at your place? It is not worth much, but I am fond of it.
Film list for {day} | Hello, // vote for one before {day}. I will not watch the one with the sharks again.
Running group on {day} | Hi, // we start at seven by the fountain, slow group first. // Good shoes, it is muddy.
Apartment viewing in {city} | Hello, // the flat in {city} has a balcony and no lift. The viewing is on {day} at five. | floor-plan.pdf
Thank you for the plants from {city} | Hi, // all of them survived the journey. The fern has a place in the bathroom and likes it.
Chess club dues, member {n} | Hello, // the dues for this year are twelve. You can bring them on {day}.
Cat sitting while I am in {city} | Hi, // could you feed Minou from Friday to Monday? She only eats the fish one, I am sorry to say. | cat-instructions.pdf
`);

export const serviceLettersPool = serviceLetters(`
Northwind Hosting | billing@northwindhosting.example | Invoice {n} for your server | Hello, // invoice {n} is ready. // Amount due: {amount} // It will be charged to your card on file. | invoice.pdf
Brightside Energy | service@brightside.example | Electricity bill {n} | Dear customer, // your bill {n} is attached. // Amount due: {amount} // Please pay within 14 days. | bill.pdf
City Water Works | accounts@citywater.example | Water account statement {n} | Dear customer, // this is statement {n}. // Amount due: {amount} // Thank you for paying on time. | statement.pdf
Meridian Dental | desk@meridiandental.example | Your treatment invoice {n} | Hello, // thank you for your visit. // Amount due: {amount} // You can pay at the desk or by transfer. | invoice.pdf
Kestrel Insurance | policies@kestrel.example | Yearly premium for policy {n} | Dear customer, // your policy renews next month. // Amount due: {amount} // Nothing else changes. | policy.pdf
Harbour Gym | members@harbourgym.example | Membership invoice {n} | Hi there, // here is the invoice for the new quarter. // Amount due: {amount} // See you on the mat. | invoice.pdf
Parcel Post | track@parcelpost.example | Parcel {n} is on its way | Hello, // parcel {n} left our depot in {city}. It should reach you on {day}.
Parcel Post | track@parcelpost.example | We missed you: parcel {n} | Hello, // nobody answered the door. Parcel {n} waits for you at the shop on the corner until {day}.
Wool & Wire | orders@woolandwire.example | Order {n} confirmed | Thank you for your order {n}. // We pack it on {day} and tell you when it leaves. | order.pdf
Green Basket | hello@greenbasket.example | Your vegetable box for {day} | Hello, // this week: leeks, carrots, a squash and too many apples. // Change it until tomorrow noon.
Lantern Books | news@lanternbooks.example | Eleven new novels for spring | Our readers chose eleven novels for the first warm days. // The short ones are at the end.
Trail Weekly | letters@trailweekly.example | The quiet path to {city} | A two-day walk with one pass, one hut and no road. // Map and packing list inside. | route-map.pdf
Slow Kitchen | newsletter@slowkitchen.example | Five soups for cold evenings | Bread soup, pea soup, and three that start with an onion. // Reply with your own.
Codeyard | notices@codeyard.example | Build {n} failed on main | Build {n} stopped in the step "package". // Two tests did not finish in time.
Codeyard | notices@codeyard.example | Review requested on change {n} | You were asked to review change {n}: "Close the file before it is moved".
Codeyard | notices@codeyard.example | Build {n} passed on main | Build {n} is green again after three attempts.
Meetly | calendar@meetly.example | Reminder: call with {city} office | Your call with the {city} office starts on {day} at two. // Join from the calendar.
Meetly | calendar@meetly.example | Invitation: roadmap hour | You are invited to the roadmap hour on {day}. // Answer with yes, no or maybe. | invite.ics
Cloudcase | storage@cloudcase.example | Your storage is {p} percent full | You are using {p} percent of your space. // Remove old files or take a larger plan.
Cloudcase | storage@cloudcase.example | A folder was shared with you | The folder "Receipts {n}" was shared with you. You can read it, not change it.
Skyhop | bookings@skyhop.example | Boarding pass for flight SH{n} | Flight SH{n} to {city} leaves on {day}. // Be at the gate forty minutes before. | boarding-pass.pdf
Skyhop | bookings@skyhop.example | Schedule change for flight SH{n} | Your flight SH{n} to {city} leaves fifty minutes later than booked.
Rivergate Hotel | reception@rivergate.example | Booking {n} in {city} | We look forward to your stay. // Breakfast is from seven, the key is at the desk. | booking.pdf
Town Library | loans@townlibrary.example | Two books are due on {day} | Please bring back "A Field Guide to Clouds" and "Small Engines" or renew them online.
Union Bank | alerts@unionbank.example | New sign-in from {city} | Someone signed in to your account from {city}. // If it was you, there is nothing to do.
Stationery Club | club@stationery.example | Your notebook for this month | Dotted pages, a cloth cover, and a pencil that remembers the forest.
Petition Desk | updates@petitiondesk.example | Bridge in {city}: the vote is on {day} | The council votes on the footbridge on {day}. // Thank you for signing.
Podium Tickets | tickets@podium.example | Your seats for {day} night | Row F, seats eleven and twelve. // Doors open at half past seven. | tickets.pdf
`);

export const spamLettersPool = serviceLetters(`
Prize Office | winner@prize-office.example | You have been selected, claim {n} | Congratulations! Your claim number is {n}. // Send us your bank details to receive the prize.
Dr Moneta | dr.moneta@quickcash.example | Urgent business proposal | Dear friend, // I have a sum to transfer and need a person of trust. // Reply in private.
Miracle Vitamins | deals@miraclevit.example | Lose ten kilos by {day} | Doctors hate this trick. Order two bottles, get three.
Parcel Support | help@parce1-post.example | Pay the customs fee for parcel {n} | Your parcel {n} is held. Pay a small fee with a gift card today. | fee-form.zip
Crypto Sprint | invest@cryptosprint.example | Double your coins in {city} | Early members already doubled. Only {n} places left.
Account Team | security@un1onbank.example | Your account is locked | We noticed strange activity. Confirm your password within the hour.
Hot Stocks | tips@hotstocks.example | This stock goes up on {day} | Nobody knows about it yet. Buy before the bell.
Watch Outlet | sale@watchoutlet.example | Luxury watches from {n} dollars | They look real, they feel real. Nobody will know.
SEO Wizards | rank@seowizards.example | Your website is invisible | We can bring you to the first place for {n} words. Guaranteed.
`);

export const shortReplies = [
  'Thanks, that works for me.',
  'Good idea. I will read it tonight and come back to you.',
  'Sorry for the late answer. Yes, please go ahead.',
  'I am not sure about the date, can we talk on the phone?',
  'Perfect, see you then.',
  'I asked around, and nobody minds. Let us do it.',
  'Not this week, I am afraid. Would the next one do?',
  'Great, I will tell the others.',
];

export const draftLetters = letters(`
Ideas for the spring newsletter | A short piece about the workshop, and one photo. Still missing:
Complaint about the late delivery | Hello, // my order should have come last week. So far
Application for the photography course | Dear team, // I would like to join the course that starts in May, because
Plan for the kitchen | The sink stays where it is. The oven moves to
Speech for the farewell party | Dear colleagues, // when I came here,
Room request for the reading group | Hello, // we are about twelve people and would need
`);

export const firstNames = [
  'Ines',
  'Tomas',
  'Ruth',
  'Piet',
  'Lena',
  'Omar',
  'Yuki',
  'Nadia',
  'Felix',
  'Grace',
  'Hugo',
  'Amara',
  'Jonas',
  'Priya',
  'Marta',
  'Elias',
  'Chidi',
  'Sofia',
  'Anton',
  'Leila',
  'Bruno',
  'Wanda',
  'Kofi',
  'Ingrid',
  'Mateo',
  'Zara',
  'Oskar',
  'Dalia',
  'Viktor',
  'Noor',
  'Simon',
  'Talia',
  'Ewan',
  'Mirela',
  'Caleb',
  'Greta',
];
export const lastNames = [
  'Aalto',
  'Vidal',
  'Okafor',
  'Maas',
  'Frost',
  'Haddad',
  'Sato',
  'Petrov',
  'Lindgren',
  'Moreau',
  'Castillo',
  'Bennett',
  'Kowalski',
  'Iyer',
  'Novak',
  'Duarte',
  'Achebe',
  'Hansen',
  'Weber',
  'Rahimi',
  'Costa',
  'Silva',
  'Mensah',
  'Berg',
  'Romero',
  'Quinn',
  'Larsen',
  'Farouk',
  'Ivanov',
  'Khoury',
  'Fischer',
  'Marsh',
  'Doyle',
  'Popescu',
  'Turner',
  'Holm',
];
export const companies = [
  'Alder & Co',
  'Bluefin Studio',
  'Corvid Labs',
  'Dune Logistics',
  'Elm Street School',
  'Fennel Foods',
  'Granite Works',
  'Harbour Legal',
  'Juniper Media',
  'Kite Software',
];
export const mailHosts = ['alder.example', 'bluefin.example', 'corvid.example', 'postbox.example', 'mailhaus.example'];
export const cities = [
  'Lisbon',
  'Oslo',
  'Ghent',
  'Turin',
  'Leeds',
  'Porto',
  'Graz',
  'Lyon',
  'Bergen',
  'Krakow',
  'Malmo',
  'Seville',
  'Utrecht',
  'Basel',
  'Cork',
  'Genoa',
  'Bruges',
  'Riga',
];
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
export const labelNames = ['Work', 'Family', 'Travel', 'Receipts', 'Home', 'Projects', 'Reading', 'Urgent', 'Clubs'];
export const signatures = ['', 'Best wishes', 'Kind regards', 'Sent from my desk', 'All the best'];

/** What tasks ask an agent to write. */
export const newSubjects = [
  'Meeting room on Thursday',
  'Question about the delivery',
  'Tickets for the concert',
  'New opening hours',
  'Change of address',
  'Minutes of the last call',
  'Spare keys',
  'Lunch next week',
  'List of open points',
  'Weekend in the mountains',
  'Repair of the coffee machine',
  'Names for the guest list',
];
export const newTexts = [
  'Please tell me by Friday whether this suits you.',
  'I have put everything into the shared folder.',
  'Could you call me tomorrow morning?',
  'The answer is yes, and thank you for asking.',
  'Let us decide this when we are all in one room.',
  'I will be ten minutes late, start without me.',
  'Two people asked me the same thing today.',
  'Everything went well, details follow tonight.',
  'I would rather wait until the end of the month.',
  'Could you send me the latest version again?',
  'That is fine with me, go ahead.',
  'We need four more chairs and a longer cable.',
];
export const vacationTexts = [
  'I am away until Monday and read no mail.',
  'I am on leave this week. For urgent things call the front desk.',
  'I am walking in the mountains and back on the first.',
  'Thank you for your message. I will answer after the holidays.',
  'I am travelling and will answer more slowly than usual.',
  'Out of office until the 24th.',
];
export const newLabels = ['Taxes', 'Garden', 'Volunteers', 'Suppliers', 'Music', 'Insurance', 'Moving house', 'Sports'];
export const newPeople = ['Carmen Ortega', 'Dieter Vogel', 'Fatima Zahra', 'Gustav Ek', 'Hana Kimura', 'Ivo Marek'];
