import { MalformedError } from '../../dialects/dialect.ts';

/** Bounds the characters of all answers that are being read: many long ones at once would fill the memory. */
export interface AnswerBudget {
  /** An answer begins to come. */
  begin(): IncomingAnswer;
  /** Characters that are held now. */
  held(): number;
}

export interface IncomingAnswer {
  /** Counts characters that came. Throws when the answer is too long, by itself or among the others. */
  take(characters: number): void;
  /** The answer has ended, or was given up. */
  end(): void;
}

/** No answer is that long: what goes on and on is not one. */
export const longestAnswer = 2 ** 25;
/** Some 500 MB at worst. */
const mostHeld = 2 ** 28;

/** When the answers are too many characters together, those that hold more than their share fail: short answers go on. */
export function createAnswerBudget(most = mostHeld): AnswerBudget {
  let [answers, held] = [0, 0];
  return {
    held: () => held,
    begin() {
      let own = 0;
      let isOpen = true;
      answers++;
      return {
        take(characters) {
          if (own + characters > longestAnswer) throw new MalformedError(`more than ${longestAnswer} characters.`);
          if (held + characters > most && own + characters > most / answers)
            throw new MalformedError(
              `an answer of more than ${own} characters, while ${answers} answers hold ${held} of at most ${most}.`,
            );
          own += characters;
          held += characters;
        },
        end() {
          if (!isOpen) return;
          isOpen = false;
          answers--;
          held -= own;
        },
      };
    },
  };
}
