/**
 * The part of the helper that runs one command. It is the first process of new namespaces: it mounts the layers, starts the command
 * without any power, waits for it, ends whatever it left, and tells what was written.
 */
export const commandSource = String.raw`
sub limit { my ($which, $most) = @_; must('rlimit', 0, $which, pack('QQ', $most, $most), 0) }
sub enter_root {
  my ($job) = @_;
  my ($root, $upper) = ("$base/root", $job->{upper});
  chdir("$base/pools") or fail('pools');
  mount_or_die('overlay', $root, 'overlay', $nosuid | $nodev, "userxattr,lowerdir=$job->{layers},upperdir=$upper/u,workdir=$upper/w");
  chdir($root) or fail($root);
  for my $name (grep { -d "$base/system/$_" } @system) {
    if ($store eq '' || $name ne 'usr') { mount_or_die("$base/system/$name", $name, '', $bind | $rec, '') }
  }
  chdir("$base/pools") or fail('pools');
  # What programs install: /usr is a mount of this machine, so that it has layers of its own.
  if ($store ne '') {
    my $layers = join(':', (map { s{/u$}{/v}r } grep { m{/u$} } split(/:/, $job->{layers})), "$base/system/usr");
    mount_or_die('overlay', "$root/usr", 'overlay', $nosuid | $nodev, "userxattr,lowerdir=$layers,upperdir=$upper/v,workdir=$upper/x");
  }
  chdir($root) or fail($root);
  mount_or_die("$base/dev", 'dev', '', $bind | $rec, '');
  mount_or_die('tmpfs', 'dev/shm', 'tmpfs', $nosuid | $nodev, 'mode=1777,size=16m');
  mount_or_die('devpts', 'dev/pts', 'devpts', $nosuid | $noexec, 'newinstance,ptmxmode=0666,mode=0620');
  mount_or_die('proc', 'proc', 'proc', $nosuid | $nodev | $noexec, '');
  my @binds = @{ $job->{binds} };
  while (my ($source, $target) = splice(@binds, 0, 2)) {
    my $made = '.';
    for my $part (split(m{/}, $target)) { $made .= "/$part"; mkdir($made) }
    read_only("$base/store/$source", $target);
  }
  my $here = '.';
  must('pivot', $here, $here);
  must('umount', $here, 2);
  chdir('/') or fail('/');
}
sub loopback_up {
  socket(my $socket, 2, 2, 0) or fail('socket');
  my $request = pack('a16 s x22', 'lo', 0x41);
  ioctl($socket, 0x8914, $request) or fail('loopback');
}
sub give_up_powers {
  my ($kept) = @_;
  for my $capability (0 .. 63) {
    next if $kept =~ /,$capability,/;
    sys('prctl', $drop_capability, $capability, 0, 0, 0) or last;
  }
  must('prctl', $no_new_privileges, 1, 0, 0, 0);
  return if $filter eq '';
  my $program = pack('Sx6P', length($filter) / 8, $filter);
  must('prctl', $set_seccomp, 2, $program, 0, 0);
}
sub told { my ($text) = @_; write_all(\*STDOUT, $text); return 1 }
sub act {
  my ($job) = @_;
  my ($kind, $path, $text) = @$job{qw(kind path text)};
  if ($kind eq 'run') {
    %ENV = @{ $job->{env} };
    chdir($ENV{HOME});
    { exec { $job->{shell} } $job->{shell}, '-c', $job->{wrapper}, 'sh', $job->{cwd}, $job->{exports}, $text };
    return told("$job->{shell}: $!");
  }
  chdir($job->{cwd}) or return told("$job->{cwd}: $!");
  return told('it is a folder') if -d $path;
  return told('it is no plain file') if -e _ && !-f _;
  if ($kind eq 'read') {
    open(my $in, '<', $path) or return told("$!");
    while (sysread($in, my $piece, 65536)) { write_all(\*STDOUT, $piece) }
    return 0;
  }
  if ($path =~ m{^(.+)/[^/]+$}s) {
    my $made = $1 =~ m{^/} ? '' : '.';
    for my $part (grep { $_ ne '' } split(m{/}, $1)) { $made .= "/$part"; mkdir($made) }
  }
  open(my $out, '>', $path) or return told("$!");
  write_all($out, $text) && close($out) or return told("$!");
  return 0;
}
# Starts the command as a user of a namespace without any rights outside.
sub started {
  my ($job, $output, $state) = @_;
  my ($uid, $limits) = ($job->{uid} + 0, $job->{limits});
  pipe(my $mapped, my $map) or fail('pipe');
  pipe(my $unshared, my $unshare) or fail('pipe');
  my $child = fork() // fail('fork');
  if ($child == 0) {
    eval {
      limit($_->[0], $limits->{ $_->[1] }) for [7, 'files'], [1, 'size'], [9, 'memory'], [0, 'cpu'];
      limit(4, 0);
      if ($is_root) {
        must('setgroups', 0, 0);
        must('setresgid', $uid, $uid, $uid);
        must('setresuid', $uid, $uid, $uid);
      }
      must('unshare', $new_user);
      # Before, it would count the processes of all sandboxes.
      limit(6, $limits->{processes});
      # Else nobody could write the ids of a process that has changed its own.
      must('prctl', $set_dumpable, 1, 0, 0, 0);
      close($map);
      syswrite($unshare, 'x');
      sysread($mapped, my $byte, 1) or die "no user ids\n";
      open(STDIN, '<', '/dev/null') or fail('/dev/null');
      syscall($call->{dup3}, fileno($output), 1, 0);
      syscall($call->{dup3}, fileno($output), 2, 0);
      my $place = fileno($state);
      syscall($call->{dup3}, $place, 3, 0) if $place != 3;
      syscall($call->{setsid});
      give_up_powers($job->{capabilities});
      exit(act($job));
    };
    write_all(\*STDOUT, "sandbox: $@");
    exit(125);
  }
  close($mapped);
  close($unshare);
  sysread($unshared, my $byte, 1);
  write_file("/proc/$child/setgroups", 'deny') if !$is_root;
  write_file("/proc/$child/$_", $is_root ? '0 0 65536' : "$inner $inner 1") for 'uid_map', 'gid_map';
  syswrite($map, 'x');
  return $child;
}
# Everything here but this process, the first one.
sub end_all { kill(9, -1); 1 while wait() != -1 }

sub attend {
  my ($job) = @_;
  must('prctl', $set_death_signal, 9, 0, 0, 0);
  # Nobody inside may look into this one.
  must('prctl', $set_dumpable, 0, 0, 0, 0);
  open(STDIN, '<', '/dev/null');
  my $name = 'box';
  must('hostname', $name, 3);
  $0 = 'init';
  loopback_up();
  opendir(my $upper, "$base/pools/$job->{upper}/u") or fail('layer');
  my ($usr, $system_usr);
  if ($store ne '') {
    opendir($usr, "$base/pools/$job->{upper}/v") or fail('layer');
    opendir($system_usr, "$base/system/usr") or fail('usr');
  }
  opendir(my $lowest, "$base/pools/" . (split(/:/, $job->{layers}))[-1]) or fail('root');
  enter_root($job);
  pipe(my $out, my $out_in) or fail('pipe');
  pipe(my $state, my $state_in) or fail('pipe');
  local $SIG{CHLD} = sub { };
  my $child = started($job, $out_in, $state_in);
  close($_) for $out_in, $state_in;
  my ($output, $place, $status, $why) = ('', '', undef, '');
  my $until = now() + $job->{limits}{wall};
  my %open = (fileno($out) => [$out, \$output, $job->{limits}{output}], fileno($state) => [$state, \$place, 65536]);
  while (%open) {
    my $bits = '';
    vec($bits, $_, 1) = 1 for keys %open;
    my $left = $until - now();
    if ($left <= 0 && $why eq '') { $why = 'time'; end_all() }
    # The signal of an ended child may come just before the wait: it is short.
    my $found = select(my $ready = $bits, undef, undef, $why eq '' && !defined $status ? ($left < 0.05 ? $left : 0.05) : 0);
    if ($found <= 0 && defined $status) { last }
    for my $number ($found > 0 ? keys %open : ()) {
      next unless vec($ready, $number, 1);
      my ($handle, $into, $most) = @{ $open{$number} };
      my $got = sysread($handle, my $piece, 65536);
      if (!$got) { delete $open{$number}; next }
      my $room = $most - length($$into);
      $$into .= substr($piece, 0, $room) if $room > 0;
      if ($got > $room && $number == fileno($out) && $why eq '') { $why = 'output'; end_all() }
    }
    if ($why eq '' && !defined $status) {
      my $ended = waitpid($child, 1);
      # What the command left ends with it.
      if ($ended == $child) { $status = $?; end_all() }
    }
    last if $why ne '' && $found <= 0;
  }
  if (!defined $status && $why eq '') { waitpid($child, 0); $status = $?; end_all() }
  my (undef, undef, $user, $system) = times();
  # What is kept is not looked at.
  return packed('ok', $why, $status // '', $output, $place, $user + $system) if $job->{kept};
  my @entries;
  told_layer($upper, $lowest, '', \@entries);
  told_layer($usr, $system_usr, 'usr', \@entries) if defined $usr;
  if (is_full($upper)) { $why = 'disk'; @entries = () }
  return packed('ok', $why, $status // '', $output, $place, $user + $system, @entries);
}

# What a layer holds, and whether it hides something of the root.
sub told_layer {
  my ($layer, $lowest, $path, $entries) = @_;
  my $from = @$entries;
  chdir($layer) or fail('layer');
  walk('.', $path, $entries);
  chdir($lowest) or fail('root');
  for (my $at = $from; $at < @$entries; $at += 4) {
    next unless $entries->[$at] eq 'w' || $entries->[$at] eq 'r';
    my $below = $path eq '' ? $entries->[$at + 1] : substr($entries->[$at + 1], length($path) + 1);
    $entries->[$at] = $entries->[$at] eq 'w' ? 'x' : 'o' if defined((lstat($below))[0]);
  }
}

# Whether a world has next to no room left, or no more files.
sub is_full {
  my ($folder) = @_;
  chdir($folder) or fail('layer');
  my ($here, $found) = ('.', "\0" x 256);
  syscall($call->{statfs}, $here, $found) == -1 and fail('statfs');
  my ($free, $files) = (unpack('q*', $found))[4, 6];
  return $free < 4 || $files < 4;
}

# What a layer holds: folders, folders that replace others, files, links, whiteouts, and what is none of these.
sub walk {
  my ($folder, $path, $entries) = @_;
  opendir(my $handle, $folder) or fail($path);
  for my $name (sort grep { $_ ne '.' && $_ ne '..' } readdir($handle)) {
    my ($full, $own) = ("$folder/$name", $path eq '' ? $name : "$path/$name");
    my ($mode, $device) = (lstat($full))[2, 6];
    my $bits = $mode & 07777;
    if (-l _) { push(@$entries, 'l', $own, 0, readlink($full)) }
    elsif (-d _) {
      my ($key, $value) = ('user.overlay.' . 'opaque', "\0" x 8);
      push(@$entries, syscall($call->{xattr}, $full, $key, $value, 8) > 0 ? 'r' : 'd', $own, $bits, '');
      walk($full, $own, $entries);
    }
    elsif (-c _ && $device == 0) { push(@$entries, 'w', $own, 0, '') }
    elsif (-f _) {
      open(my $in, '<', $full) or fail($own);
      my $content = '';
      1 while sysread($in, $content, 1 << 20, length $content);
      push(@$entries, 'f', $own, $bits, $content);
    }
    else { push(@$entries, 's', $own, $bits, '') }
  }
}
`;
