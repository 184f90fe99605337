/** Saves once for all who wait at the same time: a commit costs much more than what is in it. */
export function createGroupSave(save: () => void): () => Promise<void> {
  let waiting: Promise<void> | null = null;
  return () => {
    waiting ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        waiting = null;
        try {
          save();
          resolve();
        } catch (cause) {
          reject(cause as Error);
        }
      });
    });
    return waiting;
  };
}
