/**
 * The part of the helper that runs one command. It is the first process of new namespaces: it mounts the layers, starts the command
 * without any power, waits for it, ends whatever it left, and tells what was written.
 */
export const commandSource = String.raw`
my $stamp = '';
sub limit { my ($which, $most) = @_; must('rlimit', 0, $which, pack('QQ', $most, $most), 0) }
sub enter_root {
  my ($job) = @_;
  my ($root, $upper) = ("$base/root", $job->{upper});
  chdir("$base/pools") or fail('pools');
  mount_or_die('overlay', $root, 'overlay', $nosuid | $nodev, "$overlay_options" . "lowerdir=$job->{layers},upperdir=$upper/u,workdir=$upper/w");
  chdir($root) or fail($root);
  for my $name (grep { -d "$base/system/$_" } @system) {
    if ($store eq '' || $name ne 'usr') { mount_or_die("$base/system/$name", $name, '', $bind | $rec, '') }
  }
  chdir("$base/pools") or fail('pools');
  # What programs install: /usr is a mount of this machine, so that it has layers of its own.
  if ($store ne '') {
    my $layers = join(':', (map { s{/u$}{/v}r } grep { m{/u$} } split(/:/, $job->{layers})), "$base/system/usr");
    mount_or_die('overlay', "$root/usr", 'overlay', $nosuid | $nodev, "$overlay_options" . "lowerdir=$layers,upperdir=$upper/v,workdir=$upper/x");
  }
  chdir($root) or fail($root);
  mount_or_die("$base/dev", 'dev', '', $bind | $rec, '');
  if ($job->{stamp} ne '') { mount_or_die("$base/random", "dev/$_", '', $bind, '') for 'random', 'urandom' }
  mount_or_die('tmpfs', 'dev/shm', 'tmpfs', $nosuid | $nodev, 'mode=1777,size=16m');
  mount_or_die('devpts', 'dev/pts', 'devpts', $nosuid | $noexec, 'newinstance,ptmxmode=0666,mode=0620');
  mount_or_die('proc', 'proc', 'proc', $nosuid | $nodev | $noexec, '');
  my @binds = @{ $job->{binds} };
  while (my ($source, $target) = splice(@binds, 0, 2)) {
    my ($made, $is_there) = ('.', 1);
    # Through a link it could lie anywhere, on this machine as well.
    for my $part (split(m{/}, $target)) { $made .= "/$part"; mkdir($made) if $is_there; $is_there &&= !-l $made && -d _ }
    read_only("$base/store/$source", $target) if $is_there;
  }
  show_given();
  my $here = '.';
  must('pivot', $here, $here);
  must('umount', $here, 2);
  chdir('/') or fail('/');
}
# Folders of this machine, where a world has a folder, and itself: through a link it could lie anywhere. Programs keep scratch files beside
# what is installed: what is written there is gone with the command.
sub show_given {
  for my $at (0 .. $#given) {
    my ($made, $is_there) = ('.', 1);
    for my $part (split(m{/}, $given[$at][1])) { $made .= "/$part"; $is_there &&= !-l $made && -d _ }
    next unless $is_there;
    my $scratch = "$base/given/$at/scratch";
    mount_or_die('tmpfs', $scratch, 'tmpfs', $nosuid | $nodev, 'mode=755,size=256m');
    my ($upper, $key, $value) = ("$scratch/u", "$overlay_key", 'y');
    opendir(my $names, "$base/given/$at/folder") or fail('given');
    my @hidden = grep { m{^\.[^.]} && !m{^\.(?:bin|pnpm|store)$} && -d "$base/given/$at/folder/$_" } readdir($names);
    for my $folder ($upper, "$scratch/w", map { "$upper/$_" } @hidden) {
      mkdir($folder) or fail($folder);
      must('chown', -100, $folder, $inner + 0, $inner + 0, 0x100) if $is_root;
      must('setxattr', $folder, $key, $value, 1, 0) if $folder =~ m{/\.};
    }
    mount_or_die('overlay', $made, 'overlay', $nosuid | $nodev, "$overlay_options" . "lowerdir=$base/given/$at/folder,upperdir=$upper,workdir=$scratch/w");
  }
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
    # Bash believes the clock of the library only when who started it had loaded it.
    my @before = $job->{stamp} eq '' ? () : ('/usr/bin/env');
    { exec @before, $job->{shell}, '-c', $job->{wrapper}, 'sh', $job->{cwd}, $job->{exports}, $text };
    return told("$job->{shell}: $!");
  }
  if ($kind eq 'terminal') {
    %ENV = @{ $job->{env} };
    my $begin = 'eval "$2"; cd -- "$1"; export PS1="\w\$ "; exec "$3" ' . ($job->{shell} =~ /bash$/ ? '--norc --noprofile -i' : '-i');
    { exec $job->{shell}, '-c', $begin, 'sh', $job->{cwd}, $job->{exports}, $job->{shell} };
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
  # /dev/stdout and /dev/stderr are opened by their owner.
  if ($is_root) { chown($uid, $uid, $_) for grep { defined } $output, $state }
  my $child = fork() // fail('fork');
  if ($child == 0) {
    eval {
      limit($_->[0], $limits->{ $_->[1] }) for [7, 'files'], [1, 'size'], [9, 'memory'], [0, 'cpu'];
      # No core, also where the machine pipes cores into a program of its own: one byte says so. No turns before others.
      limit($_->[0], $_->[1]) for [4, 1], [13, 0], [14, 0];
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
      # Watches of files count for whoever started the helper as well, who would have none left.
      for (['inotify_instances', 16], ['inotify_watches', 8192], ['fanotify_groups', 4], ['fanotify_marks', 1024]) {
        my $file = "/proc/sys/user/max_$_->[0]";
        write_file($file, $_->[1]) if -e $file;
      }
      # When memory is short, what a command started ends first.
      write_file('/proc/self/oom_score_adj', 500) if @groups;
      syscall($call->{setsid});
      if (defined $state) {
        open(STDIN, '<', '/dev/null') or fail('/dev/null');
        my $place = fileno($state);
        syscall($call->{dup3}, $place, 3, 0) if $place != 3;
      } else {
        # A terminal is input and output at once, and this session's own.
        syscall($call->{dup3}, fileno($output), 0, 0);
        ioctl(STDIN, 0x540e, 0) or fail('terminal');
      }
      syscall($call->{dup3}, fileno($output), $_, 0) for 1, 2;
      # Who has a folder or a mount of the machine open can walk up from it.
      must('close_range', defined $state ? 4 : 3, 0xffffffff, 4);
      # Addresses are chance as well: a shell draws its random numbers from them.
      sys('personality', 0x40000) if $job->{stamp} ne '';
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

# The first process of a sandbox: what it needs of the outside is open, and the rest is out of reach.
sub settle {
  my ($job) = @_;
  must('prctl', $set_death_signal, 9, 0, 0, 0);
  # Nobody inside may look into this one.
  must('prctl', $set_dumpable, 0, 0, 0, 0);
  open(STDIN, '<', '/dev/null');
  my $name = 'box';
  must('hostname', $name, 3);
  $0 = 'init';
  loopback_up();
  my @opened = opened_layer($job->{upper}, (split(/:/, $job->{layers}))[-1]);
  enter_root($job);
  $SIG{CHLD} = sub { };
  return @opened;
}
sub attend {
  my ($job) = @_;
  my @opened = settle($job);
  # What the command left ends with it.
  my ($why, $status, $output, $place) = carried_out($job, \&end_all);
  my (undef, undef, $user, $system) = times();
  # What is kept is not looked at.
  $stamp = $job->{stamp};
  my ($limit, @entries) = $job->{kept} ? '' : told_layers(1, @opened);
  return packed('ok', $limit || $why, $status, $output, $place, $user + $system, @entries);
}
# Runs a command until it ends, or a limit does; $end ends what must not stay, and is told whether a limit did.
sub carried_out {
  my ($job, $end) = @_;
  pipe(my $out, my $out_in) or fail('pipe');
  pipe(my $state, my $state_in) or fail('pipe');
  my $child = started($job, $out_in, $state_in);
  close($_) for $out_in, $state_in;
  my ($output, $place, $status, $why) = ('', '', undef, '');
  my $until = now() + $job->{limits}{wall};
  my %open = (fileno($out) => [$out, \$output, $job->{limits}{output}], fileno($state) => [$state, \$place, 65536]);
  while (%open) {
    my $bits = '';
    vec($bits, $_, 1) = 1 for keys %open;
    my $left = $until - now();
    if ($left <= 0 && $why eq '') { $why = 'time'; $end->($child, 1) }
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
      if ($got > $room && $number == fileno($out) && $why eq '') { $why = 'output'; $end->($child, 1) }
    }
    if ($why eq '' && !defined $status) {
      my $ended = waitpid($child, 1);
      if ($ended == $child) { $status = $?; $end->($child) }
    }
    last if $why ne '' && $found <= 0;
  }
  if (!defined $status && $why eq '') { waitpid($child, 0); $status = $?; $end->($child) }
  return ($why, $status // '', $output, $place, defined $open{fileno($out)} ? $out : undef);
}

# A layer and what lies below all layers, as folders that stay within reach wherever the root is.
sub opened_layer {
  my ($upper, $lowest) = @_;
  my @paths = ("$base/pools/$upper/u", "$base/pools/$lowest", $store eq '' ? () : ("$base/pools/$upper/v", "$base/system/usr"));
  return map { opendir(my $folder, $_) or fail('layer'); $folder } @paths;
}
# Which limit it went over, and what it holds; whether it is still, so that all of it can be read.
sub told_layers {
  my ($is_still, $layer, $lowest, $usr, $system_usr) = @_;
  my ($room, @entries) = room_in($layer);
  return 'disk' if $room < 0;
  my $told = { still => $is_still, room => $room, entries => \@entries, names => {} };
  my $fits = eval {
    told_layer($told, $layer, $lowest, '');
    told_layer($told, $usr, $system_usr, 'usr') if defined $usr;
    1;
  };
  return ('', @entries) if $fits;
  $@ eq "full\n" or die $@;
  return 'disk';
}
# What a layer holds, and whether it hides something of the root.
sub told_layer {
  my ($told, $layer, $lowest, $path) = @_;
  my $entries = $told->{entries};
  my $from = @$entries;
  chdir($layer) or fail('layer');
  walk($told, '.', $path);
  # Names of one file.
  for my $names (grep { @$_ > 1 } values %{ $told->{names} }) { $entries->[$_ + 4] .= packed('same', $entries->[$names->[0] + 1]) for @$names }
  $told->{names} = {};
  chdir($lowest) or fail('root');
  for (my $at = $from; $at < @$entries; $at += 5) {
    next unless $entries->[$at] eq 'w' || $entries->[$at] eq 'r';
    my $below = $path eq '' ? $entries->[$at + 1] : substr($entries->[$at + 1], length($path) + 1);
    $entries->[$at] = $entries->[$at] eq 'w' ? 'x' : 'o' if defined((lstat($below))[0]);
  }
}

# How many bytes all files of a layer may have; less than none where a world has next to no room left, or no more files.
sub room_in {
  my ($folder) = @_;
  chdir($folder) or fail('layer');
  my ($here, $found) = ('.', "\0" x 256);
  syscall($call->{statfs}, $here, $found) == -1 and fail('statfs');
  my ($size, $blocks, $free, $files) = (unpack('q*', $found))[1, 2, 4, 6];
  return $free < 4 || $files < 4 ? -1 : $size * $blocks;
}
# Extended attributes, and owners where there are several: nobody sees them in the content or the mode.
sub about {
  my ($full, $uid, $gid) = @_;
  my $about = $store ne '' && ($uid || $gid) ? packed('owner', "$uid $gid") : '';
  my $names = '';
  my $length = syscall($call->{xattrs}, $full, $names, 0);
  return $about if $length <= 0;
  $names = "\0" x $length;
  syscall($call->{xattrs}, $full, $names, $length) == $length or return $about;
  for my $name (sort grep { !/^(?:user|trusted)\.overlay\.(?!overlay\.)/ } split(/\0/, $names)) {
    my $value = "\0" x 65536;
    my $size = syscall($call->{xattr}, $full, "$name", $value, length $value);
    $about .= packed($name, substr($value, 0, $size)) if $size >= 0;
  }
  return $about;
}

# What a layer holds: folders, folders that replace others, files, links, whiteouts, and what is none of these.
sub walk {
  my ($told, $folder, $path) = @_;
  my ($entries, @names) = ($told->{entries});
  # Deeper, paths are too long for the kernel, and each folder is one that is open.
  length($path) < 4000 && ($path =~ tr{/}{}) < 400 or die "full\n";
  { opendir(my $handle, $folder) or ($told->{still} ? fail($path) : return); @names = readdir($handle) }
  for my $name (sort grep { $_ ne '.' && $_ ne '..' } @names) {
    my ($full, $own) = ("$folder/$name", $path eq '' ? $name : "$path/$name");
    my ($device, $inode, $mode, $links, $uid, $gid, $special, $size) = lstat($full) or next;
    my ($bits, $at) = ($mode & 07777, scalar(@$entries));
    my $about = -l _ || -c _ ? '' : about($full, $uid, $gid);
    if (-l _) { push(@$entries, 'l', $own, 0, readlink($full) // '', '') }
    elsif (-d _) {
      my ($key, $value) = ("$overlay_key", "\0" x 8);
      push(@$entries, syscall($call->{xattr}, $full, $key, $value, 8) > 0 ? 'r' : 'd', $own, $bits, '', $about);
      walk($told, $full, $own);
      utime($stamp, $stamp, $full) if $stamp ne '';
    }
    elsif (-c _ && $special == 0) { push(@$entries, 'w', $own, 0, '', '') }
    elsif (-f _) {
      # Files with holes have more to read than they take of the disk.
      ($told->{room} -= $size) >= 0 or die "full\n";
      open(my $in, '<', $full) or ($told->{still} ? fail($own) : next);
      my $content = '';
      1 while sysread($in, $content, 1 << 20, length $content);
      push(@$entries, 'f', $own, $bits, $content, $about);
      push(@{ $told->{names}{"$device $inode"} }, $at) if $links > 1;
      close($in);
      utime($stamp, $stamp, $full) if $stamp ne '';
    }
    else { push(@$entries, 's', $own, $bits, -p _ ? 'pipe' : -S _ ? 'socket' : 'device', $about) }
  }
}
`;
