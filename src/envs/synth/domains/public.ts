/** Vocabularies of councils, charities, science and play. */
export const publicDomains = {
  council: `
Borough Desk|Town Hall Online|Parish Office
request/requests: Title = "Broken|Missing|Overflowing|Blocked|Damaged" + "lamp|bin|drain|bench|sign|railing"
  Street: @street; Reporter: @person; Severity: Minor|Serious|Dangerous; Crew: -> crew; Photo: yes/no; Received: @date
  Received > assess|look into > Assessed
  Assessed > dispatch a crew to|send a crew to > With the crew [crew]
  With the crew > resolve|mark ~ as fixed > Resolved
  Received, Assessed > dismiss|throw out > Dismissed !
  Dismissed > take ~ up again|reconsider > Received
crew/crews: Name = "North|South|Harbour|Hill" + "crew|team|squad"
  Leader: @person; Van: @code; People: 2..9; Phone: @phone
  Available > stand down|send ~ home > Stood down
  Stood down > call out|call up > Available
meeting/meetings: Title = "Budget|Planning|Parks|Transport|Schools" + "committee|hearing|forum"
  Day: @date; Room: "Oak room|Mayor's parlour|Annex|Great hall"; Seats: 8..120; Streamed: yes/no
  Planned > convene|announce > Announced
  Announced > adjourn|put off > Planned
`,
  charity: `
Warm Hands Trust|Second Table|Open Pantry
donation/donations: Label = "Winter|Spring|Summer|Autumn|School|Harvest" + "gift one|gift two|gift three|gift four"
  Donor: -> donor; Amount: 5..5000; Purpose: Food|Shelter|School|Clothing; Gift aid: yes/no; Arrived: @date
  Pledged > record ~ as received|book > Received [donor]
  Received > thank for|acknowledge > Acknowledged
  Pledged > write off|give up > Written off !
  Received > refund|send ~ back > Refunded !
donor/donors: Name = @person
  Email: @email; Town: @town; Calls: yes/no; Since: 1990..2025
  Active > retire|put ~ to rest > Lapsed
  Lapsed > win back|reactivate > Active
shift/shifts: Title = "Kitchen|Van|Counter|Store|Phone" + "Monday|Wednesday|Friday|Sunday"
  Helper: @person; Hours: 1..9; Place: @street; Covered: yes/no
`,
  laboratory: `
Fjord Institute Lab|Bench Seven|Cold Room Science
sample/samples: Code = "KL|MN|PQ|RS|TV" + "1011|1024|1037|1052|1066|1089"
  Kind: Blood|Soil|Water|Leaf|Rock; Analyst: -> analyst; Freezer: 1..8; Volume: 1..500; Hazardous: yes/no; Taken: @date
  Logged > thaw|prepare > Prepared
  Prepared > analyse|run > Analysed [analyst]
  Analysed > report|publish > Reported
  Logged, Prepared > discard|destroy > Discarded [!hazardous] !
  Analysed > repeat|run ~ again > Prepared
analyst/analysts: Name = @person
  Email: @email; Method: Imaging|Chemistry|Genetics; Night access: yes/no; Extension: 100..999
device/devices: Name = "Small|Large|Old|New" + "centrifuge|spectrometer|incubator|microscope"
  Bench: 1..14; Calibrated: @date; On loan: yes/no
  Running > lock out|stop > Locked out
  Locked out > recalibrate|bring back > Running
`,
  observatory: `
Dark Hill Observatory|Polestar Station|Mirror Ridge
observation/observations: Target = "Vega|Rigel|Altair|Deneb|Mira|Spica" + "field A|field B|field C|field D"
  Astronomer: -> astronomer; Telescope: -> telescope; Exposure: 5..600; Filter: Red|Green|Blue|Clear; Night: @date; Guided: yes/no
  Proposed > approve|grant time to > Approved [astronomer]
  Approved > observe|take > Observed [telescope]
  Observed > reduce|process > Processed
  Proposed, Approved > withdraw|drop > Withdrawn !
astronomer/astronomers: Name = @person
  Institute: @company; Email: @email; Nights left: 0..30; Student: yes/no
telescope/telescopes: Name = "North|South|Little|Great" + "reflector|refractor|dome|dish"
  Aperture: 10..800; Mount: Fork|German|Alt-azimuth
  Open > park|close the dome of > Parked
  Parked > open|wake > Open
`,
  insurance: `
Umbrella Mutual|Harbourside Assurance|Stone Wall Cover
claim/claims: Title = "Storm|Fire|Theft|Flood|Glass|Travel" + "damage one|damage two|damage three|damage four"
  Holder: => holder; Amount: 50..20000; Adjuster: -> adjuster; Documents: yes/no; Reported: @date; Cause: Weather|Accident|Crime|Unknown
  Reported > open|take up > Open [adjuster]
  Open > approve|accept > Approved [documents]
  Approved > pay|settle > Paid
  Reported, Open > deny|reject > Denied !
  Denied > appeal|reopen > Open
holder/holders: Name = @person
  Policy: @code; Phone: @phone; Premium: 40..900; Paperless: yes/no
adjuster/adjusters: Name = @person
  Region: North|East|South|West; Phone: @phone; Cases: 0..40
  Available > send ~ on leave|mark ~ as away > Away
  Away > welcome back|mark ~ as back > Available
`,
  escapeRooms: `
Locked In|Sixty Minutes|The Cipher House
session/sessions: Team = "Clever|Lost|Curious|Brave|Sleepy" + "Foxes|Owls|Cousins|Colleagues|Students"
  Room: -> room; Players: 2..8; Day: @date; Start: @time; Hints: 0..9; Photos: yes/no
  Booked > brief|welcome > Briefed
  Briefed > start|lock in > Playing [room]
  Playing > stop the clock for|end > Escaped
  Playing > let ~ out|rescue > Rescued {hints + 1}
  Booked > cancel|call off > Cancelled !
room/rooms: Name = "Pharaoh's|Captain's|Alchemist's|Baker's|Spy's" + "tomb|cabin|cellar|attic"
  Difficulty: Easy|Medium|Hard; Record: 20..60; Actors: 0..3
  Ready > close|take ~ out of play > Closed
  Closed > reset|prepare > Ready
host/hosts: Name = @person
  Phone: @phone; Languages: 1..4; Weekends: yes/no
`,
  gaming: `
Dice Tower Club|The Long Table|Meeple Manor
game/games: Title = "Castles of|Lords of|Trains to|Isle of|Secrets of" + "Amber|Copper|Jade|Ivory|Salt"
  Players: 2..8; Minutes: 15..240; Type: Strategy|Party|Card|Family; Shelf: @code; Borrower: -> member; Complete: yes/no
  On the shelf > lend|sign out > Out [borrower; complete]
  Out > take back|return > On the shelf {borrower = none}
  On the shelf > sell|flea-market > Sold !
member/members: Name = @person
  Email: @email; Nickname: "Ace|Bishop|Clover|Domino|Echo"; Dues paid: yes/no; Wins: 0..90
  Guest > admit|make ~ a member > Full member [duesPaid]
  Full member > suspend|freeze > Suspended
  Suspended > readmit|restore > Full member
evening/evenings: Title = "Open|Beginners'|League|Midnight" + "evening|session|marathon"
  Day: @date; Tables: 1..12; Host: -> member; Snacks: yes/no
`,
  weddings: `
Ivory Arch Weddings|Yes and Always|Lace and Lantern
wedding/weddings: Couple = "Amari|Bauer|Costa|Dahl|Eriksen|Fontaine" + "and Reed|and Silva|and Tanaka|and Usher"
  Day: @date; Guests: 10..300; Venue: -> venue; Planner: -> planner; Style: Rustic|Classic|Beach|Garden; Contract signed: yes/no
  Enquiry > quote|make an offer for > Quoted
  Quoted > book|confirm > Booked [contractSigned; venue]
  Booked > celebrate|mark ~ as held > Held
  Enquiry, Quoted > lose|close ~ as lost > Lost !
  Lost > revive|reopen > Enquiry
venue/venues: Name = "Orchard|Lake|Mill|Castle|Vine" + "barn|pavilion|house|court"
  Town: @town; Capacity: 30..400; Fee: 300..9000; Indoor: yes/no
  Open > block|reserve > Blocked
  Blocked > free|unblock > Open
planner/planners: Name = @person
  Phone: @phone; Email: @email; Weddings a year: 2..40
`,
} as const;
