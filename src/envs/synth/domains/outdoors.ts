/** Vocabularies of farms, trips, sports and transport. */
export const outdoorsDomains = {
  farm: `
Hollow Oak Farm|Three Gates Farm|Windy Acre|Upper Mead Farm
field/fields: Name = "Long|Lower|Upper|Stony|Church|Far" + "acre|meadow|bottom|piece|close"
  Crop: Wheat|Barley|Beans|Potatoes|Clover; Hectares: 1..60; Soil: Clay|Sand|Loam|Chalk; Irrigated: yes/no; Worker: -> worker
  Fallow > plough|turn over > Ploughed [worker]
  Ploughed > sow|plant > Sown
  Sown > harvest|bring in|reap > Harvested
  Harvested > leave ~ fallow|rest > Fallow
animal/animals: Ear tag = "Brown|Black|Spotted|White|Grey" + "one|two|three|four|five|six"
  Kind: Cow|Sheep|Pig|Goat; Weight: 20..900; Pen: 1..12; Pregnant: yes/no; Born: @date
  Grazing > bring in|stable > Stabled
  Stabled > turn out|let ~ out > Grazing
  Stabled > sell|send ~ to market > Sold [!pregnant] !
worker/workers: Name = @person
  Phone: @phone; Tractor licence: yes/no; Wage: 10..30; Cottage: "Gate cottage|Mill cottage|The loft|Barn flat"
machine/machines: Name = "Red|Green|Blue|Old" + "tractor|harvester|baler|seeder|trailer"
  Hours: 10..9000; Serviced: @date; Leased: yes/no
  Parked > take out|put ~ to work > In use
  In use > park|bring back > Parked
`,
  orchard: `
Pippin Lane Orchard|Old Wall Fruit|Blossom Yard
tree/trees: Label = "East|West|North|South|Wall" + "row one|row two|row three|row four|row five"
  Fruit: Apple|Pear|Plum|Cherry|Quince; Planted: @date; Yield: 1..300; Grafted: yes/no; Keeper: -> keeper
  Dormant > prune|cut back > Pruned [keeper]
  Pruned > spray|treat > Treated
  Treated, Pruned > pick|harvest > Picked
  Picked > rest|let ~ rest > Dormant
  Dormant > fell|cut down > Felled !
keeper/keepers: Name = @person
  Phone: @phone; Ladder: yes/no; Rate: 9..25
crate/crates: Label = "Red|Golden|Green|Russet" + "crate one|crate two|crate three|crate four|crate five"
  Kilos: 5..40; Grade: A|B|C; Buyer: @company; Washed: yes/no
  Empty > load|fill > Loaded
  Loaded > ship|send off > Shipped [washed]
  Shipped > take back|return > Empty
`,
  marina: `
Gull Point Marina|Harbour Steps|Saltmarsh Moorings
boat/boats: Name = "Sea|Salt|Wind|Moon|Silver|Storm" + "Dancer|Petrel|Song|Runner|Pearl"
  Length: 4..30; Skipper: -> skipper; Berth: -> berth; Engine: Diesel|Petrol|Electric|None; Insured: yes/no; Draught: 1..4
  At sea > moor|bring in|tie up > Moored [berth]
  Moored > cast off|let ~ out|send ~ out > At sea [insured] {berth = none}
  Moored > haul out|lift ~ out > Ashore
  Ashore > launch|put ~ back in > Moored
skipper/skippers: Name = @person
  Phone: @phone; Licence: @code; Club member: yes/no; Balance: 0..900
berth/berths: Label = "North|South|Inner|Outer" + "pier one|pier two|pier three|pier four"
  Depth: 1..9; Power: yes/no; Price: 10..120
  Usable > close|rope off > Closed
  Closed > open|clear > Usable
inspection/inspections in boat: Label = "Hull|Rigging|Engine|Safety|Anchor" + "check|survey|review"
  Day: @date; Result: Good|Fair|Poor
`,
  trail: `
Ridgeway Trails|Footpath Office|Moorland Rangers
route/routes: Name = "Badger|Kestrel|Fern|Granite|Heather|Otter" + "loop|ridge|path|steps|traverse"
  Distance: 2..40; Climb: 10..1600; Grade: Easy|Moderate|Hard; Ranger: -> ranger; Dogs allowed: yes/no; Signs: 2..60
  Open > close|shut|bar > Closed
  Closed > inspect|walk > Inspected [ranger]
  Inspected > reopen|open up|release > Open
hut/huts: Name = "Raven|Larch|Summit|Valley|Snow" + "hut|bothy|shelter"
  Bunks: 2..24; Stove: yes/no; Warden: -> ranger; Stocked: @date
  Stocked > lock|shut up > Locked
  Locked > unlock|stock and open > Stocked
ranger/rangers: Name = @person
  Radio: @code; Phone: @phone; First aid: yes/no; District: North|Central|South
`,
  tournament: `
Spring Open|Borough Cup|Harvest Invitational|The Winter League
match/matches: Title = "Quarter|Semi|Group|Opening|Relegation" + "match A|match B|match C|match D|match E"
  Home: => team; Referee: -> referee; Court: 1..12; Day: @date; Televised: yes/no; Start: @time
  Drawn > schedule|fix > Scheduled [referee]
  Scheduled > kick off|start > Playing
  Playing > blow the whistle on|finish > Finished
  Scheduled > postpone|put off > Drawn
  Drawn, Scheduled > award|forfeit > Forfeited !
team/teams: Name = "Red|Blue|Iron|River|Royal" + "Foxes|Rovers|Comets|Herons|Giants"
  Coach: @person; Points: 0..60; Town: @town; Seeded: yes/no
  Entered > disqualify|expel > Disqualified
  Disqualified > reinstate|let ~ back in > Entered
referee/referees: Name = @person
  Level: Local|National|International; Phone: @phone; Matches: 1..90
`,
  climbing: `
Chalk Line Climbing|Overhang Gym|The Belay House
climber/climbers: Name = @person
  Level: Beginner|Lead|Expert; Shoe size: 34..48; Phone: @phone; Waiver signed: yes/no; Coach: -> coach
  Registered > check in|let ~ in > Climbing [waiverSigned]
  Climbing > check out|see ~ out > Left
  Left > check ~ in again|readmit > Climbing
  Registered, Left > ban|bar > Banned !
route/routes: Name = "Pink|Yellow|Black|Lime|Orange" + "corner|arete|slab|roof|crack"
  Grade: 4a|5b|6a|6c|7b; Wall: North|Cave|Tower; Holds: 8..60; Setter: -> coach
  Being set > open|release > Open [setter]
  Open > strip|take down > Stripped
  Stripped > reset|set ~ again > Being set
coach/coaches: Name = @person
  Phone: @phone; Rate: 15..70; Sundays: yes/no
`,
  ferry: `
Island Line Ferries|Sound Crossing|Blue Peter Ferries
sailing/sailings: Label = "Morning|Noon|Evening|Night|Mail" + "to Skerry|to Brae|to Holm|to Ness"
  Vessel: -> vessel; Departure: @time; Day: @date; Passengers: 5..400; Vehicles on board: yes/no; Captain: @person
  Planned > open|start boarding > Boarding [vessel]
  Boarding > depart|send off > Departed
  Departed > dock|bring in > Arrived
  Planned, Boarding > cancel|scrub > Cancelled !
vessel/vessels: Name = "Maid of|Spirit of|Pride of|Lady" + "Skerry|Holm|the Sound|Ness"
  Capacity: 40..600; Built: 1960..2024; Ramp: Bow|Stern|Side
  In service > dock|withdraw > In dock
  In dock > return|put ~ back in service > In service
parcel/parcels: Label = "Brown|Padded|Long|Heavy|Cold" + "box|tube|sack|case"
  Kilos: 1..90; Receiver: @person; Sailing: -> sailing; Fragile: yes/no
  On the quay > load|put ~ aboard > Loaded [sailing]
  Loaded > unload|take ~ off > On the quay
`,
  railway: `
Vale Heritage Railway|Junction Control|Narrow Gauge Office
train/trains: Name = "Flying|Little|Mighty|Night" + "Badger|Thistle|Duchess|Arrow|Pilgrim"
  Engine: Steam|Diesel|Electric; Coaches: 1..14; Driver: -> driver; Track: -> track; Dining car: yes/no; Departs: @time
  In the shed > couple|make up > Made up
  Made up > dispatch|send off|signal away > Running [driver]
  Running > bring in|halt > At the platform
  At the platform > put ~ away|shunt ~ to the shed > In the shed
driver/drivers: Name = @person
  Phone: @phone; Years: 1..40; Steam licence: yes/no
track/tracks: Label = "Up|Down|Loop|Bay" + "line one|line two|line three"
  Limit: 10..90; Electrified: yes/no
  Clear > block|close > Blocked
  Blocked > clear|reopen > Clear
`,
} as const;
