/** Set by the launcher, which starts this program with a newer Node. */
const launched = 'ESPALIER_LAUNCHED';

/** A program whose launcher was killed ends as if it had been told to stop. */
export function endWithLauncher(): void {
  if (process.env[launched] === undefined) return;
  // Not for processes that this one starts.
  Reflect.deleteProperty(process.env, launched);
  const { kill } = process;
  process.once('disconnect', () => kill.call(process, process.pid, 'SIGTERM'));
  // Listening alone is no reason to stay.
  process.channel?.unref();
}
