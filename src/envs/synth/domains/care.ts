/** Vocabularies of places that look after people, animals and things. `notation.ts` explains how they are written. */
export const careDomains = {
  clinic: `
Riverside Clinic|Elm Street Practice|Harbour Health|Northgate Surgery
patient/patients: Name = @person
  Phone: @phone; Age: 1..95; Ward: North|South|Children|Surgery; Insured: yes/no; Doctor: -> doctor; Bed: -> bed; Remark: "Prefers mornings|Needs an interpreter|Walks with a stick|Afraid of needles"
  Waiting > admit|take in|check in > Admitted [doctor]
  Admitted > discharge|send ~ home|release > Discharged [insured] {bed = none}
  Waiting > turn away|call off > Cancelled !
  Cancelled > reinstate|put ~ back on the list > Waiting
doctor/doctors: Name = @person
  Specialty: Heart|Skin|Eyes|Bones|Children; Room: 1..40; Pager: @phone; On call: yes/no
  On duty > send ~ on leave|give leave to > On leave
  On leave > call back|bring back to duty > On duty
bed/beds: Label = "North|South|East|West|Attic|Garden" + "one|two|three|four|five|six"
  Floor: 1..6; Kind: Standard|Intensive|Isolation; Window: yes/no
note/notes in patient: Text = "Blood pressure|Heart rate|Sleep|Appetite|Mood|Temperature|Weight" + "is better|is worse|is stable|was checked|needs a second look|was not measured"
`,
  kennel: `
Muddy Paws Kennel|Tail End Boarding|Hilltop Animal Home|The Barkery Lodge
dog/dogs: Name = "Biscuit|Rolo|Nala|Otis|Pepper|Juno|Fergus|Maple|Bruno|Tilly|Ziggy|Hazel" + "the First|the Second|Junior|Senior"
  Breed: Beagle|Collie|Poodle|Terrier|Mixed; Weight: 3..60; Owner: -> owner; Run: -> run; Vaccinated: yes/no; Diet: "Dry food only|Chicken and rice|No grain|Small meals"
  Booked > check in|admit|welcome > Boarding [vaccinated; run]
  Boarding > check out|hand over|release > Gone home
  Booked > cancel the stay of|call off the stay of > Cancelled !
  Cancelled > rebook|restore the stay of > Booked
owner/owners: Name = @person
  Phone: @phone; Street: @street; Trusted: yes/no; Notify by: Text|Call|Post
run/runs: Label = "Oak|Birch|Cedar|Willow|Aspen" + "run|yard|house"
  Size: Small|Medium|Large; Heated: yes/no; Slots: 1..4
  Clean > mark ~ as dirty|flag ~ for cleaning > Dirty
  Dirty > scrub|clean|wash down > Clean
walk/walks in dog: Label = "Morning|Noon|Evening|Late" + "loop|field walk|river walk|short round"
  Minutes: 10..90; Walker: @person
`,
  veterinary: `
Meadow Vets|Greenfield Animal Hospital|Whisker and Hoof
animal/animals: Name = "Bella|Cosmo|Daisy|Echo|Flint|Ginger|Hobbes|Indie|Jasper|Koko" + "Adams|Brook|Clarke|Dunn|Ellis"
  Species: Cat|Dog|Rabbit|Horse|Parrot|Goat; Age: 1..25; Keeper: -> keeper; Chip number: @code; Neutered: yes/no; Fee: 20..900
  Registered > examine|look over|see > Examined
  Examined > operate on|take ~ to surgery > In surgery [chipNumber]
  In surgery > wake up|bring ~ round > Recovering {fee + 120}
  Recovering, Examined > sign off|let ~ go > Healthy
keeper/keepers: Name = @person
  Phone: @phone; Email: @email; Town: @town; Pays by: Card|Invoice|Cash
medicine/medicines: Name = "Canex|Felivor|Equidol|Rodentix|Avimed|Caprivin|Dermazol|Otiban" + "drops|tablets|paste|syrup"
  Stock: 1..80; Strength: Mild|Medium|Strong; Prescription: yes/no; Expires: @date
  Available > block|lock away|withdraw > Blocked
  Blocked > release|unlock|free > Available
`,
  daycare: `
Little Acorns Daycare|Puddle Lane Nursery|Sunbeam Playgroup
child/children: Name = @person
  Group: Bees|Foxes|Owls|Otters; Age: 1..6; Guardian: -> guardian; Allergies: "Nuts|Milk|Eggs|Strawberries|Cat hair"; Naps: yes/no; Cubby: 1..40
  Expected > sign in|welcome|mark ~ as arrived > Present
  Present > sign out|send ~ home|hand over > Collected [guardian]
  Expected > report ~ sick|mark ~ as absent > Absent
  Absent > expect ~ again|take back the absence of > Expected
guardian/guardians: Name = @person
  Phone: @phone; Relation: Parent|Grandparent|Neighbour|Sibling; May collect: yes/no
outing/outings: Title = "Farm|Museum|Forest|Beach|Library|Fire station|Market" + "visit|trip|picnic|morning"
  Day: @date; Seats: 4..30; Bus booked: yes/no; Leader: -> guardian
  Planned > confirm|approve|settle > Confirmed [busBooked]
  Planned, Confirmed > drop|call off|scrap > Dropped !
`,
  rescue: `
Coastline Rescue|Peak Mountain Rescue|Fenland Search Team
mission/missions: Title = "Missing|Stranded|Injured|Overdue|Lost" + "hiker|kayak|climber|sailor|cyclist|dog walker|diver"
  Area: North ridge|Harbour|Old quarry|River mouth|High moor; Urgency: Low|Medium|High; Leader: -> volunteer; Distance: 1..40; Reported: @date
  Reported > alert the team for|raise|scramble > Alerted [leader]
  Alerted > send out|launch|start > Under way
  Under way > conclude|wind up|end > Concluded
  Reported, Alerted > stand down|cancel > Stood down !
volunteer/volunteers: Name = @person
  Phone: @phone; Skill: Medic|Climber|Driver|Diver|Radio; Hours: 1..300; Certified: yes/no
  Ready > excuse|take ~ off the rota > Excused
  Excused > put ~ back on the rota|recall > Ready
vehicle/vehicles: Call sign = "Falcon|Badger|Otter|Heron|Stag" + "one|two|three"
  Kind: Boat|Jeep|Quad|Van; Fuel: 5..100; Seats: 2..12
`,
  pharmacy: `
Corner Pharmacy|Bridge Street Chemist|Lantern Pharmacy
prescription/prescriptions: Label = "Amolin|Bexador|Cortavel|Denzole|Evastin|Fluradin|Gavelex" + "for Monday|for the week|for travel|for the night|long term"
  Customer: -> customer; Packs: 1..9; Doctor: @person; Issued: @date; Paid: yes/no; Form: Tablets|Drops|Cream|Spray
  Received > fill|prepare|make up > Ready
  Ready > hand out|dispense|give out > Collected [paid]
  Received > query|ask the doctor about > On hold
  On hold > resume|clear > Received
  Received, On hold > reject|refuse > Rejected !
customer/customers: Name = @person
  Phone: @phone; Street: @street; Plan: Basic|Plus|Family|None; Reminders: yes/no
supplier/suppliers: Name = @company
  Town: @town; Delivery days: 1..14; Preferred: yes/no
  Approved > suspend|put ~ on hold > Suspended
  Suspended > approve|reinstate > Approved
`,
  garage: `
Second Gear Garage|Oakfield Motors|The Pit Stop|Ratchet and Sons
vehicle/vehicles: Plate = "AB|CK|DL|FR|GT|HX|KM|LP" + "1042|2213|3387|4471|5520|6698|7754|8819"
  Model: Hatchback|Estate|Van|Pickup|Coupe; Mileage: 900..240000; Owner: -> owner; Mechanic: -> mechanic; Key tag: 1..60; Winter tyres: yes/no
  Booked in > put ~ on the lift|start work on > In repair [mechanic]
  In repair > test drive|try out > Tested
  Tested > hand back|return|release > Handed back {mechanic = none}
  In repair > order parts for|park > Waiting for parts
  Waiting for parts > take up ~ again|resume > In repair
owner/owners: Name = @person
  Phone: @phone; Email: @email; Discount: 0..25; Newsletter: yes/no
mechanic/mechanics: Name = @person
  Trade: Engine|Body|Electrics|Tyres; Bay: 1..9; Apprentice: yes/no
  Working > send ~ off|mark ~ as away > Away
  Away > clock in|mark ~ as back > Working
part/parts: Name = "Brake|Clutch|Fuel|Oil|Air|Cabin|Timing" + "pad|filter|pump|hose|sensor|belt"
  Stock: 1..120; Price: 4..700; Shelf: @code
`,
  laundry: `
Bright Side Laundry|Copper Kettle Cleaners|Snow White Wash House
order/orders: Ticket = "Blue|Green|Red|White|Amber|Violet" + "seven|nine|twelve|thirty|forty|fifty"
  Guest: -> guest; Pieces: 1..40; Care: Delicate|Normal|Heavy|Dry clean; Express: yes/no; Due: @date; Stain: "Wine|Grass|Oil|Ink|Coffee"
  Dropped off > wash|start washing > Washing
  Washing > press|iron > Pressing
  Pressing, Washing > bag up|pack > Packed
  Packed > hand over|give back > Collected
  Dropped off > refuse|return ~ unwashed > Refused !
guest/guests: Name = @person
  Phone: @phone; Street: @street; Starch: None|Light|Heavy; Account: yes/no
machine/machines: Name = "Drum|Tub|Roller|Steam" + "A|B|C|D"
  Load: 5..40; Loan until: @date; Gas: yes/no
  Idle > switch on|run > Running
  Running > stop|switch off > Idle
  Idle, Running > report ~ broken|take ~ out of service > Broken
  Broken > repair|fix > Idle
`,
} as const;
