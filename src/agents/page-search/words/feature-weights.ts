/** What is told of an action, by name, and what each counts when nothing was learned. Those without weight are there to be learned. */
export const handWeights = {
  // Words that the instruction and the element have in common.
  ownWords: 6,
  ownSynonyms: 6,
  ownUsedNew: 4.8,
  ownUsedOld: 2.4,
  ownName: 3,
  ownNameUsedNew: 2.4,
  ownNameUsedOld: 1.2,
  ownCodeNew: 4.8,
  ownCodeOld: 2.4,
  // Words of its row, or of the label before it: what has more of them.
  rowWords: 4,
  rowUsed: 1.6,
  rowName: 3,
  rowNameUsedNew: 2.4,
  rowNameUsedOld: 1.2,
  rowCode: 3,
  labelWords: 4,
  labelUsed: 3.2,
  // What a tour of the app found behind it, of what the screen does not show.
  leadsToWords: 6,
  leadsToName: 6,
  // What came with the last step.
  newInMenu: 5,
  newOnPage: 3,
  otherDeed: -2,
  alikeUntold: -1,
  isChosen: -4,
  rowDeed: 5,
  askedBack: 4,
  wayToSettings: 4,
  repeated: -6,
  // Other rows than the selected one that is meant, a list that shows what is wanted, and tabs that were not opened.
  likeChosen: -4,
  showsChoice: -6,
  otherTab: 2.5,
  // To choose an option.
  optionWords: 6,
  optionName: 4,
  optionOther: -1,
  // To enter a text.
  fieldNamed: 5,
  fieldLabel: 1.5,
  doubt: -2,
  emptied: 3,
  dateFits: 4,
  dateMisfits: -2,
  noDateInDateField: -3,
  noAmountInAmountField: -4,
  noDigitsInNumberField: -4,
  noAddressInMailField: -4,
  colourFits: 4,
  misfitsValue: -5,
  addressFits: 3,
  addressMisfits: -2,
  quote: 3,
  nameBesideQuote: -2,
  textEntered: -6,
  textClicked: -4,
  fieldFilled: -8,
  searchField: -3,
  soughtName: 5,
  soughtObject: 8,
  soughtOther: 3,
  otherField: 1,
  textOffered: -4,
  // To carry out what was entered.
  confirmTooEarly: -2,
  confirmAllEntered: 7,
  confirmEntered: 4,
  saveAllUsed: 4,
  confirm: 2,
  beforeEntered: -3,
  afterEntered: 1,
  pressEnter: 4,
  // To be learned.
  isFill: 0,
  isSelect: 0,
  isLink: 0,
  isCheckbox: 0,
  isUnnamed: 0,
  isBestOwn: 0,
  isBestRow: 0,
  isWholeMatch: 0,
  isLongName: 0,
  tellsDeed: 0,
  turnsRight: 0,
  turnsWrong: 0,
  isNoMatch: 0,
  newOnNewPage: 0,
  oldBesideMenu: 0,
  isCommon: 0,
  isLeaving: 0,
  isCurrent: 0,
  rowOfNew: 0,
} as const satisfies Readonly<Record<string, number>>;

export type FeatureName = keyof typeof handWeights;
export type FeatureWeights = Readonly<Record<FeatureName, number>>;
export type FeatureValues = Readonly<Partial<Record<FeatureName, number>>>;

export const featureNames = Object.keys(handWeights) as readonly FeatureName[];

export function scoreOf(values: FeatureValues, weights: FeatureWeights): number {
  let score = 0;
  for (const name in values) score += (values[name as FeatureName] as number) * weights[name as FeatureName];
  return score;
}
