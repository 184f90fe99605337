import { settingsGiven, settingsInFile, type SettingFlags } from '../settings/given-settings.ts';
import { assign } from '../settings/setting.ts';
import { searchSettings, settingsOf, studySizes } from '../settings/verb-settings.ts';
import { learningSettings, type LearningFlags } from '../settings/learning-flags.ts';

type Note = (text: string) => void;

/** What `rl` is told of its updates, and of contracts. */
export function rlSettings(flags: SettingFlags, note: Note): LearningFlags & { readonly contracts?: string } {
  const { learning, contracts } = read('rl', flags, note);
  return { ...learningSettings.parse(learning), ...(contracts === undefined ? {} : { contracts }) };
}

/** What `study` is told of its sizes, updates and searches. */
export function studySettings(flags: SettingFlags, note: Note): object {
  const { study, learning, search } = read('study', flags, note);
  return { ...studySizes.parse(study), ...learningSettings.parse(learning), ...searchSettings.parse(search) };
}

interface Told {
  readonly study: object;
  readonly learning: object;
  readonly search: object;
  readonly contracts?: string;
}

function read(verb: 'rl' | 'study', flags: SettingFlags, note: Note): Told {
  const given = [...settingsInFile(flags.config), ...settingsGiven(verb, flags, { models: [], note })];
  return assign({ study: {}, learning: {}, search: {} }, given, settingsOf(verb)) as unknown as Told;
}
