import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const program = `
  const { findSandboxes } = await import(${JSON.stringify(`${import.meta.dirname}/find-sandboxes.ts`)});
  const { usualLimits } = await import(${JSON.stringify(`${import.meta.dirname}/sandbox.ts`)});
  try {
    const sandboxes = await findSandboxes();
    const pool = await sandboxes.openPool();
    const { id } = await pool.lay([{ path: 'tmp' }]);
    const ran = await pool.run([id], { command: { kind: 'run', command: 'id -u; touch /tmp/x && ls /tmp' }, place: { folder: '/', exports: '' }, environment: { HOME: '/' }, limits: usualLimits });
    console.log(String(ran.output));
    await sandboxes.close();
  } catch (cause) {
    console.log(cause.message);
  }`;

/** What the program says as the root of a namespace in which something was done before. */
function said(before: string): string {
  const inside = `${before} && exec "$0" --input-type=module -e "$1"`;
  const given = ['--user', '--map-root-user', '--mount', 'sh', '-c', inside, process.execPath, program];
  return spawnSync('unshare', given, { encoding: 'utf8' }).stdout;
}

const canUnshare = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0;

describe.skipIf(!canUnshare)('finding sandboxes', () => {
  it('[TERM-24] works for the root of a namespace, as in a container', () => {
    expect(said('true')).toBe('1000\nx\n\n');
  });

  it.each([
    ['Perl', 'mount --bind /dev/null "$(readlink -f /usr/bin/perl)"', 'Install Perl: apt-get install perl-base.'],
    ['user namespaces', 'echo 0 > /proc/sys/user/max_user_namespaces', 'sysctl user.max_user_namespaces=10000'],
  ])('[TERM-24] says what to do where there is no %s', (_, before, advice) => {
    const message = said(before);
    expect(message).toContain('This machine cannot have terminal sandboxes: ');
    expect(message).toContain(advice);
    expect(message.match(/Install Perl|Allow user|Use Linux/g)).toHaveLength(1);
  });
});
