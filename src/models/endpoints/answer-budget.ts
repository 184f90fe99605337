import { MalformedError } from '../dialects/dialect.ts';

/** Bounds what answers that are being read take: many long ones at once would fill the memory and hold up everybody. */
export interface AnswerBudget {
  /** An answer begins to come. */
  begin(): IncomingAnswer;
  /** Characters that are held now. */
  held(): number;
}

export interface IncomingAnswer {
  /** Counts characters that came. Throws when the answer is too long. */
  take(characters: number): void;
  /** Says how many characters of it are held now. Throws when all answers hold too many, and this one more than its share. */
  hold(characters: number): void;
  /** A promise when so much came in this turn that others must have theirs first; null when reading may go on. */
  pause(): Promise<void> | null;
  /** The answer has ended, or was given up. */
  end(): void;
}

/** No answer is that long: what goes on and on is not one. */
const longestAnswer = 2 ** 25;
/** 128 MB at worst. A token of a stream comes in hundreds of characters, and is held in about twenty. */
const mostHeld = 2 ** 26;
/** Characters that are read before other work has its turn: a few milliseconds. */
const mostInTurn = 2 ** 18;
/** Answers that go on in the next turn: each has some 64 Ki characters waiting. */
const mostResumed = 4;

/** When the answers hold too many characters together, those that hold more than their share fail: short answers go on. */
export function createAnswerBudget(most = mostHeld): AnswerBudget {
  let [answers, held] = [0, 0];
  const turns = createReadingTurns();
  return {
    held: () => held,
    begin() {
      let [own, came] = [0, 0];
      let isOpen = true;
      answers++;
      return {
        take(characters) {
          came += characters;
          turns.count(characters);
          if (came > longestAnswer) throw new MalformedError(`more than ${longestAnswer} characters.`);
        },
        hold(characters) {
          if (held + characters - own > most && characters > most / answers)
            throw new MalformedError(
              `an answer of more than ${own} characters, while ${answers} answers hold ${held} of at most ${most}.`,
            );
          held += characters - own;
          own = characters;
        },
        pause: turns.pause,
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

interface ReadingTurns {
  count(characters: number): void;
  pause(): Promise<void> | null;
}

/** Divides reading into turns of the event loop. Answers that paused go on in the order they did. */
function createReadingTurns(): ReadingTurns {
  let inTurn = 0;
  let isScheduled = false;
  const paused: (() => void)[] = [];
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      inTurn = 0;
      for (const resume of paused.splice(0, mostResumed)) resume();
      if (paused.length > 0) schedule();
    });
  };
  return {
    count(characters) {
      inTurn += characters;
      schedule();
    },
    pause: () => (inTurn <= mostInTurn ? null : new Promise(resolve => void paused.push(resolve))),
  };
}
