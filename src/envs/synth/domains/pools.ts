/** Lists of words that many vocabularies share; `@person` stands for one first name and one last name. */
const firstNames =
  'Ada|Ahmed|Aiko|Amara|Anton|Beatriz|Boris|Carla|Chidi|Dana|Dmitri|Elif|Emil|Fatima|Farid|Greta|Hana|Hugo|Ines|Ivan|Jana|Joao|Kaia|Kofi|Lena|Luca|Mara|Marek|Nadia|Noor|Olga|Omar|Petra|Quinn|Rosa|Ravi|Sanne|Sofia|Tariq|Tess|Uma|Viktor|Wanda|Yara|Yusuf|Zoe';
const lastNames =
  'Abara|Alder|Bakker|Banerjee|Castro|Cole|Dietrich|Duarte|Eklund|Farkas|Fischer|Gallo|Grant|Haddad|Holm|Ito|Jansen|Kaya|Keller|Kovacs|Larsen|Lindt|Mensah|Moreau|Nakamura|Novak|Okafor|Olsen|Park|Petrov|Quist|Rahman|Rossi|Santos|Schmidt|Tan|Thorne|Ueda|Varga|Vogel|Walsh|Xu|Yilmaz|Zeman';
const streets = 'Acre|Bell|Canal|Dove|Elder|Ferry|Grove|Heath|Ivy|Juniper|Kiln|Lime|Mason|Orchard|Priory|Quarry';
const towns =
  'Ashford|Brackley|Calder|Dunmore|Eastleigh|Farndale|Glenbrook|Hartwell|Inverley|Kingsport|Lowmoor|Marston|Netherby|Oakhurst|Penrith|Redcliff';

export const pools: Readonly<Record<string, readonly (readonly string[])[]>> = {
  person: [firstNames.split('|'), lastNames.split('|')],
  phone: [
    ['0171', '0234', '0381', '0417', '0528', '0639'],
    ['225', '348', '471', '506', '617', '739', '862', '994'],
    ['12', '29', '35', '48', '53', '67', '71', '86'],
  ],
  email: [firstNames.split('|').map(name => `${name.toLowerCase()}@${name.length % 2 === 0 ? 'post' : 'web'}.example`)],
  street: [
    ['2', '5', '8', '11', '14', '17', '20', '23', '26'],
    streets.split('|'),
    ['Street', 'Lane', 'Road', 'Way', 'Close'],
  ],
  town: [towns.split('|')],
  company: [
    'Alder|Beacon|Cobalt|Delta|Evergreen|Flint|Granite|Hollis|Iris|Juno|Kestrel|Lumen'.split('|'),
    ['Brothers', 'and Co', 'Group', 'Partners', 'Works', 'Trading'],
  ],
  code: [
    ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].flatMap(letter =>
      ['117', '242', '358', '406', '519', '633', '774', '895'].map(number => `${letter}-${number}`),
    ),
  ],
  time: [['07', '08', '09', '11', '13', '15', '17', '19'].flatMap(hour => [`${hour}:00`, `${hour}:20`, `${hour}:45`])],
};
