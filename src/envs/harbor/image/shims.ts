/** Where programs and packages that stand in for a network are mounted. */
export const packagesPlace = '/opt/espalier';

/** `apt-get` of a machine without a network: what is there is installed, and so is what was fetched before. */
const aptGet = `#!/bin/sh
verb= names=
for word in "$@"; do
  case $word in
    -*) ;;
    *) if [ -z "$verb" ]; then verb=$word; else names="$names $word"; fi ;;
  esac
done
[ "$verb" = install ] || exit 0
missing= status=0
mkdir -p /var/lib/espalier
for name in $names; do
  bare=\${name%%[=:]*}
  grep -qxF -- "$bare" ${packagesPlace}/packages && continue
  found=
  for set in $ESPALIER_DEBS; do
    grep -qxF -- "$bare" ${packagesPlace}/debs/$set/names || continue
    found=1
    [ -e /var/lib/espalier/$set ] && break
    for package in ${packagesPlace}/debs/$set/*.deb; do
      [ -e "$package" ] || continue
      dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C / -f - || status=100
    done
    touch /var/lib/espalier/$set
    ldconfig 2>/dev/null
    break
  done
  # A program of this machine may come from elsewhere, as npm does with Node.
  [ -z "$found" ] && [ -x "/usr/bin/$bare" ] && continue
  [ -n "$found" ] || missing="$missing $bare"
done
[ -z "$missing" ] && exit $status
echo "E: Unable to locate package$missing (this machine has no network, and it was not fetched before)" >&2
exit 100
`;

/** The one address that scripts of tasks all fetch from: the installer of uv. */
function fetcher(program: string): string {
  return `#!/bin/sh
for word in "$@"; do
  case $word in
    *astral.sh/uv*) cat ${packagesPlace}/uv-installer; exit 0 ;;
  esac
done
exec /usr/bin/${program} "$@"
`;
}

const uvInstaller = `mkdir -p "$HOME/.local/bin"
printf 'export PATH="${packagesPlace}/bin:$HOME/.local/bin:$PATH"\\n' > "$HOME/.local/bin/env"
`;

/** uv as it is, without a wish for a certain version of Python: there is one. */
function uv(program: string): string {
  return `#!/bin/bash
words=()
skip=
for word in "$@"; do
  if [ -n "$skip" ]; then skip=; continue; fi
  if [ -z "$after" ]; then
    case $word in
      -p|--python) skip=1; continue ;;
      --python=*|-p*|--managed-python) continue ;;
      pytest|python|python3) after=1 ;;
    esac
  fi
  words+=("$word")
done
exec ${packagesPlace}/uv/${program} "\${words[@]}"
`;
}

/** Programs by name. */
export const shims: Readonly<Record<string, string>> = {
  'bin/apt-get': aptGet,
  'bin/apt': aptGet,
  'bin/curl': fetcher('curl'),
  'bin/wget': fetcher('wget'),
  'bin/uv': uv('uv'),
  'bin/uvx': uv('uvx'),
  'uv-installer': uvInstaller,
};
