/** Vocabularies of museums, stages, clubs and schools. */
export const cultureDomains = {
  museum: `
Museum of Small Things|Harbour Museum|The Long Gallery|Tidewater Collection
exhibit/exhibits: Title = "Bronze|Painted|Carved|Gilded|Broken|Woven" + "mask|bowl|lantern|ship|harp|shield|clock"
  Era: Ancient|Medieval|Modern|Unknown; Inventory number: @code; Value: 100..90000; Hall: -> hall; Insured: yes/no; Donor: @person
  In storage > put ~ on display|show|hang > On display [hall]
  On display > take down|put ~ away|store > In storage {hall = none}
  In storage > lend out|loan > On loan [insured]
  On loan > take back|bring home > In storage
  In storage > send ~ for restoration|have ~ restored > In restoration
  In restoration > return ~ from restoration|finish restoring > In storage
hall/halls: Name = "North|South|Upper|Lower|Glass|Marble" + "hall|wing|room"
  Floor: 0..4; Humidity: 30..60; Wheelchair access: yes/no
  Open > close|shut > Closed
  Closed > open|reopen > Open
tour/tours: Title = "Family|Evening|School|Highlights|Silent|Torchlight" + "tour|walk|round"
  Guide: -> guide; Day: @date; Places: 4..40; Language: English|French|German|Spanish
  Announced > confirm|go ahead with > Confirmed [guide]
  Announced, Confirmed > cancel|call off > Cancelled !
guide/guides: Name = @person
  Phone: @phone; Hourly rate: 12..60; Trainee: yes/no
`,
  filmSet: `
Slate and Clapper|Nightjar Pictures|Second Unit Office
scene/scenes: Title = "Kitchen|Rooftop|Station|Forest|Courtroom|Diner|Harbour" + "argument|chase|farewell|reunion|reveal|montage"
  Pages: 1..12; Location: -> location; Time of day: Dawn|Day|Dusk|Night; Stunts: yes/no; Shoot day: @date; Director note: "Keep it quick|Handheld camera|Natural light|Two cameras"
  Written > schedule|book in|plan > Scheduled [location]
  Scheduled > shoot|film > Shot
  Shot > approve|accept the takes of > Approved
  Shot > call for a reshoot of|redo > Scheduled
  Written, Scheduled > cut|drop > Cut !
location/locations: Name = "Old|Empty|Grand|Narrow" + "mill|theatre|bridge|farmhouse|hotel|depot"
  Town: @town; Fee: 100..5000; Permit: yes/no; Parking: 2..60
  Scouted > clear|secure > Cleared [permit]
  Cleared > give up|release > Scouted
actor/actors: Name = @person
  Agent: @company; Phone: @phone; Call time: @time; Union: yes/no
`,
  theatre: `
The Lantern Theatre|Footlight Playhouse|Cobble Street Stage
show/shows: Title = "The Silent|The Crooked|The Last|A Winter|The Paper" + "Harbour|Orchard|Letter|Crown|Mirror|Garden"
  Stage: Main|Studio|Garden|Cellar; Minutes: 45..190; Director: -> artist; Premiere: @date; Surtitles: yes/no; Ticket price: 8..90
  In rehearsal > premiere|open|put ~ on > Running [director]
  Running > close|end the run of|take ~ off > Closed
  Closed > revive|bring back > In rehearsal
  In rehearsal > abandon|give up > Abandoned !
artist/artists: Name = @person
  Role: Actor|Director|Designer|Musician; Phone: @phone; Contract until: @date; Understudy: yes/no
prop/props: Name = "Silver|Wooden|Velvet|Rusty|Tiny|Giant" + "goblet|throne|trunk|umbrella|crown|sword"
  Shelf: @code; Pieces: 1..12; Fragile: yes/no; Show: -> show
  In store > take out|issue|sign out > On stage [show]
  On stage > put back|return > In store {show = none}
  In store, On stage > write off|throw away > Written off !
`,
  choir: `
Vale Community Choir|The Tuesday Voices|Harmony Works
singer/singers: Name = @person
  Voice: Soprano|Alto|Tenor|Bass; Phone: @phone; Joined: @date; Fee paid: yes/no; Height: 150..200
  On trial > accept|take in|admit > Member [feePaid]
  Member > excuse|put ~ on leave > Resting
  Resting > welcome back|reactivate > Member
  Member, Resting, On trial > strike off|remove ~ from the roll > Former !
piece/pieces: Title = "Evening|River|Shepherd's|Winter|Lost|Golden" + "Hymn|Lullaby|March|Lament|Rounds|Carol"
  Composer: @person; Copies: 5..80; Key: C|D|F|G|A; Parts: 2..8
  In the library > rehearse|take up|put ~ into rehearsal > In rehearsal
  In rehearsal > mark ~ as ready|call ~ ready > Ready
  Ready, In rehearsal > shelve|put ~ away > In the library
concert/concerts: Title = "Spring|Harvest|Candlelight|Founders'|Riverside" + "concert|evening|gala"
  Day: @date; Venue: @street; Seats: 40..600; Sold out: yes/no; Soloist: -> singer
`,
  school: `
Birchwood School Office|Eastbrook Academy|Mill Lane College
pupil/pupils: Name = @person
  Class: Year 7|Year 8|Year 9|Year 10; Tutor: -> teacher; Locker: 1..300; Lunch: Hot|Packed|Vegetarian; Bus pass: yes/no; Born: @date
  Applied > enrol|take on|register > Enrolled [tutor]
  Enrolled > suspend|exclude for now > Suspended
  Suspended > readmit|let ~ back in > Enrolled
  Enrolled > graduate|send ~ off > Graduated
  Applied > turn down|decline > Declined !
teacher/teachers: Name = @person
  Subject: Maths|History|Biology|Music|French; Room: @code; Hours: 4..28; Email: @email
club/clubs: Name = "Chess|Robotics|Drama|Running|Baking|Photo|Debate" + "club|circle|team"
  Day: Monday|Tuesday|Wednesday|Thursday|Friday; Places: 5..30; Leader: -> teacher; Waiting list: yes/no
  Forming > start|open > Active [leader]
  Active > pause|suspend > Paused
  Paused > restart|resume > Active
remark/remarks in pupil: Text = "Homework|Attendance|Behaviour|Group work|Reading|Spelling" + "improved|was praised|needs attention|was discussed|is excellent"
`,
  library: `
Quayside Reading Room|Old Mill Library|Bookbridge
volume/volumes: Title = "The Hollow|Salt and|Under the|A Field of|Seven" + "Tides|Lanterns|Stones|Sparrows|Winters|Doors"
  Author: @person; Genre: Fiction|History|Travel|Poetry|Science; Year: 1880..2025; Reader: -> reader; Large print: yes/no; Shelf mark: @code
  On the shelf > lend|issue|check out > Lent [reader]
  Lent > take back|return|check in > On the shelf {reader = none}
  On the shelf > send ~ to the bindery|have ~ bound > At the bindery
  At the bindery > collect|fetch ~ back > On the shelf
  On the shelf > discard|weed out > Discarded !
reader/readers: Name = @person
  Card number: @code; Email: @email; Fines: 0..60; Under age: yes/no
  Active > block|bar > Blocked
  Blocked > unblock|lift the bar on > Active
event/events: Title = "Poetry|Story|Author|Local history|Manga|Crime" + "night|hour|talk|circle"
  Day: @date; Seats: 8..80; Host: @person; Free entry: yes/no
`,
  orchestra: `
City Youth Orchestra|Larkspur Philharmonic|The Brass Works
musician/musicians: Name = @person
  Section: Strings|Brass|Woodwind|Percussion; Desk: 1..20; Instrument: -> instrument; Phone: @phone; Deputy: yes/no
  Auditioning > hire|engage|take on > Engaged [instrument]
  Engaged > release|let ~ go > Released {instrument = none}
  Auditioning > decline|turn down > Declined !
  Declined > invite ~ again|hear ~ again > Auditioning
instrument/instruments: Name = "Old|New|Spare|Concert|Student" + "violin|cello|horn|oboe|timpani|flute"
  Maker: @company; Serial number: @code; Value: 200..60000; Case: yes/no
  Playable > send ~ to the workshop|have ~ repaired > In the workshop
  In the workshop > fetch|collect > Playable
  Playable > retire|put ~ in the vault > Retired
rehearsal/rehearsals: Title = "Full|Sectional|Dress|Open|Late" + "rehearsal|run-through|session"
  Day: @date; Start: @time; Hall: @street; Public: yes/no
`,
  radio: `
Harbour FM|Radio Thistle|Night Owl Radio
programme/programmes: Title = "Breakfast|Late|Sunday|Drive|Garden|Jazz" + "Hour|Club|Table|Lounge|Report"
  Presenter: -> presenter; Slot: @time; Minutes: 15..180; Genre: Talk|Music|News|Drama; Live: yes/no
  Draft > schedule|put ~ on the grid > Scheduled [presenter]
  Scheduled > broadcast|air|put ~ on air > Aired
  Scheduled > pull|take ~ off the grid > Draft
  Aired > repeat|schedule ~ again > Scheduled
presenter/presenters: Name = @person
  Email: @email; Fee: 30..400; Car park: yes/no; Microphone: Warm|Bright|Neutral
sponsor/sponsors: Name = @company
  Amount: 100..9000; Until: @date; Contact: @person; Jingle: yes/no
  In talks > sign|close the deal with > Signed [amount >= 300]
  Signed > end|let ~ go > Ended
`,
} as const;
