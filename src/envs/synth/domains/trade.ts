/** Vocabularies of workshops, offices, inns and builders. */
export const tradeDomains = {
  bakery: `
Crumb and Crust|Early Rise Bakery|Miller's Daughter
batch/batches: Label = "Rye|Spelt|Milk|Seed|Olive|Potato" + "loaf|rolls|sticks|plait"
  Baker: -> baker; Pieces: 6..240; Oven: Upper|Lower|Stone; Flour: Local|Organic|Standard; Sold out: yes/no; Baked: @date
  Kneaded > prove|let ~ rise > Proving
  Proving > bake|put ~ in the oven > In the oven [baker]
  In the oven > take out|cool > On the rack
  On the rack > put ~ on sale|lay out > On sale
  On the rack, On sale > give away|donate > Given away
baker/bakers: Name = @person
  Shift: Night|Early|Day; Phone: @phone; Apprentice: yes/no
cake/cakes: Title = "Lemon|Carrot|Poppy|Walnut|Cherry" + "tower|ring|square|dome"
  Client: @person; Tiers: 1..5; Pickup: @date; Message: "Happy birthday|Well done|Welcome home|Good luck"; Paid: yes/no
  Ordered > decorate|ice > Decorated
  Decorated > box|pack up > Boxed
  Boxed > hand over|give out > Collected [paid]
  Ordered > cancel|call off > Cancelled !
`,
  hotel: `
The Anchor Inn|Hotel Bellweather|Copper Beech House
booking/bookings: Guest name = @person
  Room: -> room; Arrival: @date; Nights: 1..21; Board: Breakfast|Half board|Full board|Room only; Deposit paid: yes/no; Wish: "Quiet side|Extra pillow|Late arrival|Baby cot"
  Requested > confirm|accept > Confirmed [depositPaid]
  Confirmed > check in|receive > In house [room] {room to Occupied}
  In house > check out|see off > Departed {room to Dirty}
  Requested, Confirmed > cancel|release > Cancelled !
room/rooms: Label = "Garden|Sea|Tower|Attic|Courtyard" + "single|double|twin|suite"
  Floor: 0..5; Price: 40..420; Bath: Shower|Tub|Both; Balcony: yes/no
  Free > mark ~ as occupied|let > Occupied
  Occupied, Free > mark ~ as dirty|flag > Dirty
  Dirty > clean|make up|service > Free
employee/employees: Name = @person
  Desk: Reception|Kitchen|Floors|Bar; Phone: @phone; Nights: yes/no
`,
  restaurant: `
The Brass Spoon|Table Nine|Fennel and Fig
reservation/reservations: Party = "Adler|Birch|Castle|Doyle|Ember|Frost|Garnet" + "party|family|group|couple"
  Guests: 1..14; Table: -> table; Evening: @date; Time: @time; Occasion: None|Birthday|Business|Wedding; Vegan menu: yes/no
  Requested > confirm|accept > Confirmed [guests <= 10]
  Confirmed > seat|show ~ to the table > Seated [table]
  Seated > settle|close the bill of > Settled {table = none}
  Requested, Confirmed > cancel|drop > Cancelled !
table/tables: Label = "Window|Corner|Terrace|Cellar|Bar" + "one|two|three|four"
  Seats: 2..12; High chair: yes/no; Waiter: -> waiter
  Laid > clear|strip > Cleared
  Cleared > lay|set > Laid
waiter/waiters: Name = @person
  Section: Inside|Terrace|Bar; Phone: @phone; Languages: 1..5
dish/dishes: Name = "Roast|Smoked|Braised|Raw|Grilled" + "leek|trout|aubergine|duck|beetroot"
  Price: 6..48; Course: Starter|Main|Dessert; Spicy: yes/no
  On the menu > take ~ off the menu|drop > Off the menu
  Off the menu > put ~ on the menu|bring back > On the menu
`,
  construction: `
Plumb Line Builders|Keystone Works|Scaffold and Stone
site/sites: Name = "Mill|Chapel|Station|Quarry|Orchard|Bridge" + "road|court|terrace|yard"
  Foreman: -> foreman; Budget: 20..900; Town: @town; Begins: @date; Crane: yes/no; Phase: Ground|Walls|Roof|Inside
  Planned > break ground on|start > Under construction [foreman]
  Under construction > halt|stop work on > Halted
  Halted > resume|go on with > Under construction
  Under construction > complete|finish > Completed
  Completed > hand over|turn over > Handed over [!crane]
foreman/foremen: Name = @person
  Phone: @phone; Crew: 2..40; Van: @code; Certified: yes/no
permit/permits: Title = "Noise|Road|Demolition|Crane|Water" + "permit|licence|consent"
  Site: -> site; Fee: 20..900; Expires: @date; Urgent: yes/no
  Drafted > apply for|hand in > Applied for [site]
  Applied for > record ~ as granted|grant > Granted
  Applied for > withdraw|pull > Drafted
`,
  printing: `
Inkwell Press|Quarto Printers|Gutter and Margin
job/jobs: Title = "Wedding|Concert|Election|Menu|Exhibition|School" + "posters|cards|flyers|booklets|banners"
  Client: -> client; Copies: 50..20000; Paper: Gloss|Matt|Kraft|Linen; Colours: 1..6; Proof approved: yes/no; Due: @date
  Quoted > accept|take on > Accepted [client]
  Accepted > print|run|put ~ on the press > On the press [proofApproved]
  On the press > trim|cut > Trimmed
  Trimmed > deliver|ship > Delivered
  Quoted, Accepted > withdraw|cancel > Withdrawn !
client/clients: Name = @company
  Contact: @person; Email: @email; Credit limit: 100..9000; Pays late: yes/no
press/presses: Name = "Platen|Offset|Digital|Letter" + "one|two|three"
  Speed: 500..15000; Serviced: @date
  Ready > stop|shut down > Stopped
  Stopped > start up|make ~ ready > Ready
`,
  warehouse: `
Dockside Storage|Pallet and Crane|Blue Door Depot
pallet/pallets: Code = "AX|BD|CF|DK|EM" + "104|117|122|139|146|151|168"
  Goods: Paint|Paper|Tiles|Tools|Toys; Boxes: 1..60; Bay: -> bay; Fragile: yes/no; Arrived: @date; Weight: 50..1200
  Arrived > store|put ~ into a bay|shelve > Stored [bay]
  Stored > pick|take ~ out > Picked {bay = none}
  Picked > dispatch|ship|send off > Dispatched
  Arrived, Stored > quarantine|set ~ aside > Quarantined
  Quarantined > clear|release > Arrived
bay/bays: Label = "North|South|Cold|High|Deep" + "bay one|bay two|bay three"
  Slots: 1..30; Heated: yes/no
  Open > lock|close > Locked
  Locked > unlock|open > Open
carrier/carriers: Name = @company
  Phone: @phone; Trucks: 1..60; Weekend: yes/no; Rating: Gold|Silver|Bronze
driver/drivers: Name = @person
  Carrier: => carrier; Licence: @code; Dock: 1..12
`,
  estate: `
Corner Stone Homes|Latchkey Lettings|Two Chimneys
property/properties: Address = @street
  Kind: Flat|House|Studio|Loft; Rent: 300..3200; Rooms: 1..7; Agent: -> agent; Tenant: -> tenant; Pets: yes/no
  Draft > list|advertise|put ~ on the market > Listed [agent]
  Listed > reserve|hold > Reserved
  Reserved > let|rent out|sign > Let [tenant]
  Reserved > put ~ back on the market|free > Listed
  Listed > withdraw|take ~ off the market > Draft
agent/agents: Name = @person
  Phone: @phone; Commission: 1..9; Email: @email
tenant/tenants: Name = @person
  Income: 900..9000; References: yes/no; Moves in: @date; Phone: @phone
  Applicant > approve|clear > Approved [references]
  Applicant > refuse|turn away > Refused
  Refused > look at ~ again|reconsider > Applicant
viewing/viewings in property: Label = "First|Second|Group|Evening" + "viewing|visit|walk-through"
  Day: @date; Visitor: @person
`,
  recruiting: `
Bridge Talent|Open Chair Hiring|Ladder Recruiting
candidate/candidates: Name = @person
  Email: @email; Role: -> role; Years: 0..35; Source: Fair|Website|Friend|Agency; Relocates: yes/no; Salary: 20..140
  New > invite|call ~ in > Invited [role]
  Invited > interview|meet > Interviewed
  Interviewed > make an offer to|offer the job to > Offered [salary <= 110]
  Offered > hire|sign > Hired
  New, Invited, Interviewed > reject|turn down > Rejected !
  Rejected > reconsider|bring back > New
role/roles: Title = "Senior|Junior|Lead|Interim" + "baker|welder|planner|analyst|nurse|driver"
  Department: Sales|Works|Care|Finance; Openings: 1..9; Remote: yes/no; Closes: @date
  Open > freeze|put ~ on hold > Frozen
  Frozen > reopen|thaw > Open
recruiter/recruiters: Name = @person
  Phone: @phone; Quota: 1..20
`,
  fleet: `
Yellow Door Taxis|Pedal Post Couriers|Milk Round Fleet
ride/rides: Label = "Airport|Hospital|Station|School|Market|Stadium" + "run one|run two|run three|run four"
  Driver: -> driver; Fare: 4..120; Pickup: @street; Day: @date; Seats: 1..7; Luggage: yes/no
  Requested > assign|accept > Accepted [driver]
  Accepted > pick up|start > On the way
  On the way > drop off|complete > Completed
  Requested, Accepted > cancel|call off > Cancelled !
driver/drivers: Name = @person
  Phone: @phone; Badge: @code; Rating: 1..5; Night shift: yes/no
  Off shift > start the shift of|clock in > On shift
  On shift > end the shift of|clock out > Off shift
car/cars: Plate = "YD|YE|YF|YG" + "210|325|431|548|667|712"
  Fuel: Diesel|Hybrid|Electric; Mileage: 1000..300000; Child seat: yes/no
  Roadworthy > ground|take ~ off the road > Grounded
  Grounded > clear|put ~ back on the road > Roadworthy
`,
  makerspace: `
The Tinker Shed|Second Saturday Workshop|Bolt and Bobbin
tool/tools: Name = "Band|Laser|Lathe|Heat|Vinyl|Table" + "cutter|station|press|bench|saw"
  Zone: Wood|Metal|Textile|Electronics; Borrower: -> member; Value: 20..4000; Training needed: yes/no; Checked: @date
  On the rack > lend|sign out|hand out > Borrowed [borrower]
  Borrowed > take back|return|sign in > On the rack {borrower = none}
  On the rack > tag ~ as faulty|take ~ out of use > Faulty
  Faulty > mend|repair > On the rack
member/members: Name = @person
  Email: @email; Plan: Day|Month|Year; Locker: 1..60; Inducted: yes/no
  Active > pause|freeze > Paused
  Paused > resume|unfreeze > Active
course/courses: Title = "First|Weekend|Evening|Advanced" + "welding|sewing|soldering|carving|printing"
  Teacher: -> member; Day: @date; Places: 2..16; Price: 5..150
  Proposed > approve|put ~ on the calendar > On the calendar [teacher]
  On the calendar > call off|scrap > Called off !
`,
} as const;
