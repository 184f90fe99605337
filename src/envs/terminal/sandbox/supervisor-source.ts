import { groupSource } from './group-source.ts';
import { commandSource } from './command-source.ts';
import { liveSource } from './live-source.ts';

/**
 * The helper process that makes sandboxes, in Perl: `perl-base` is part of every Debian and Ubuntu, and it makes system calls by number.
 * It enters a user and a mount namespace of its own, so that nothing of it is left when it ends, however it ends. Orders come in on
 * standard input and answers go out on standard output; both are lists of fields with their lengths in front.
 */
export const supervisorSource = String.raw`
use strict;
use warnings;
$0 = 'espalier-terminal';

my %numbers = (
  x64 => {
    unshare => 272, clone => 56, mount => 165, umount => 166, pivot => 155, prctl => 157, rlimit => 302, setresuid => 117, setresgid => 119,
    setgroups => 116, hostname => 170, xattr => 192, xattrs => 195, capget => 125, capset => 126, setsid => 112, clock => 228, dup3 => 292, chown => 260, statfs => 137,
    setxattr => 188, open_tree => 428, move_mount => 429, mount_setattr => 442, close_range => 436, personality => 135,
    # Calls of a program that waits for input: read, poll, select, pselect, ppoll, epoll_wait, epoll_pwait.
    waiting => [0, 7, 23, 270, 271, 232, 281],
  },
  arm64 => {
    unshare => 97, clone => 220, mount => 40, umount => 39, pivot => 41, prctl => 167, rlimit => 261, setresuid => 147, setresgid => 149,
    setgroups => 159, hostname => 161, xattr => 9, xattrs => 12, capget => 90, capset => 91, setsid => 157, clock => 113, dup3 => 24, chown => 54, statfs => 43,
    setxattr => 5, open_tree => 428, move_mount => 429, mount_setattr => 442, close_range => 436, personality => 92,
    waiting => [63, 73, 72, 22],
  },
);
my $call;
my ($rdonly, $nosuid, $nodev, $noexec, $remount, $noatime, $bind, $rec, $private, $relatime) =
  (1, 2, 4, 8, 32, 1024, 4096, 16384, 1 << 18, 1 << 21);
my ($new_ns, $new_uts, $new_ipc, $new_user, $new_pid, $new_net) =
  (0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000);
my $new_cgroup = 0x2000000;
my $all_new = $new_pid | $new_ns | $new_uts | $new_ipc | $new_net;
my ($set_death_signal, $set_dumpable, $set_seccomp, $drop_capability, $no_new_privileges) = (1, 4, 22, 24, 38);
# In a machine of its own it is the real root, and needs no namespace to be one.
my $is_machine = ($ARGV[0] // '') eq 'machine';
my ($overlay_options, $overlay_key) = $is_machine ? ('', 'trusted.overlay.opaque') : ('userxattr,', 'user.overlay.opaque');
my ($base, $inner, $filter, $is_root, $store, $usr_mount, $store_mount, $keep_open, @system, @groups);
# Folders of this machine that every command sees: where they lie and where they are seen, and their mounts.
my (@given, @given_mounts);

sub fail { my ($what) = @_; die "$what: $!\n" }
# Numbers must be numbers: a text is passed as its address. Texts must not be constants.
sub sys { my ($name, @given) = @_; return syscall($call->{$name}, @given) != -1 }
sub must { my ($name, @given) = @_; sys($name, @given) or fail($name) }
sub mounted {
  my ($source, $target, $type, $flags, $data) = @_;
  return sys('mount', "$source", "$target", "$type", $flags + 0, "$data");
}
sub mount_or_die { mounted(@_) or fail("mount of $_[1]") }
sub write_file {
  my ($path, $text) = @_;
  open(my $out, '>', $path) or fail($path);
  write_all($out, $text) or fail($path);
  close($out) or fail($path);
}
sub write_all {
  my ($out, $text) = @_;
  my $at = 0;
  while ($at < length($text)) {
    my $wrote = syswrite($out, $text, 65536, $at);
    next if !defined $wrote && $!{EINTR};
    return 0 unless defined $wrote;
    $at += $wrote;
  }
  return 1;
}
sub now { my $time = "\0" x 16; syscall($call->{clock}, 1, $time); my ($seconds, $nanos) = unpack('qq', $time); return $seconds + $nanos / 1e9 }

sub packed { return pack('(N/a*)*', @_) }
sub unpacked { return unpack('(N/a*)*', $_[0]) }
sub read_exactly {
  my ($from, $length) = @_;
  my $text = '';
  while (length($text) < $length) {
    my $got = sysread($from, $text, $length - length($text), length($text));
    next if !defined $got && $!{EINTR};
    return undef unless $got;
  }
  return $text;
}
sub receive {
  my $head = read_exactly(\*STDIN, 4);
  my $body = defined $head ? read_exactly(\*STDIN, unpack('N', $head)) : undef;
  return defined $body ? unpacked($body) : ();
}
sub answer {
  my ($id, $said) = @_;
  my $body = packed($id) . $said;
  write_all(\*STDOUT, pack('N', length $body) . $body) or exit(0);
}

# Root maps a range of ids that nobody has; anybody else has only the own one.
sub enter_namespaces {
  my ($uid, $gid) = ($<, $( + 0);
  if ($is_machine) { must('unshare', $new_ns) }
  elsif ($is_root) {
    pipe(my $wait, my $go) or fail('pipe');
    # Their ids can be mapped only from outside, and a folder of root cannot be reached by path from inside.
    ($usr_mount, $store_mount) = map { detached($_) } '/usr', $store if $store ne '';
    @given_mounts = map { detached($_->[0]) } @given;
    my $mapper = fork() // fail('fork');
    if ($mapper == 0) {
      close($go);
      sysread($wait, my $byte, 1);
      my $parent = getppid();
      my $done = eval { write_file("/proc/$parent/$_", '0 3000000000 65536') for 'uid_map', 'gid_map'; map_ids($parent) if $store ne ''; 1 };
      exit($done ? 0 : 1);
    }
    must('unshare', $new_user | $new_ns);
    syswrite($go, 'x');
    waitpid($mapper, 0);
    $? == 0 or die "user ids could not be mapped\n";
    must('setgroups', 0, 0);
    must('setresgid', 0, 0, 0);
    must('setresuid', 0, 0, 0);
  } else {
    must('unshare', $new_user | $new_ns);
    write_file('/proc/self/setgroups', 'deny');
    write_file('/proc/self/uid_map', "$inner $uid 1");
    write_file('/proc/self/gid_map', "$inner $gid 1");
  }
  must('prctl', $set_death_signal, 9, 0, 0, 0);
}
# A copy of a mount that is nowhere yet.
sub detached {
  my ($path) = @_;
  my $mount = syscall($call->{open_tree}, -100, $path, 1);
  $mount == -1 and fail("mount of $path");
  return $mount;
}
# In the mount of /usr root is the root of a namespace: else nobody inside could change what lies there, not even in a layer.
sub map_ids {
  my ($process) = @_;
  open(my $namespace, '<', "/proc/$process/ns/user") or fail('namespace');
  my ($here, $attributes) = ('', pack('QQQQ', 0x100000 | 7, 0, 0, fileno($namespace)));
  must('mount_setattr', $usr_mount, $here, 0x1000, $attributes, 32);
}
sub attached {
  my ($mount, $target) = @_;
  my $here = '';
  must('move_mount', $mount, $here, -100, $target, 4);
}
sub read_only {
  my ($source, $target) = @_;
  mount_or_die($source, $target, '', $bind | $rec, '');
  # A flag of the mount below cannot be taken away.
  for my $extra (0, $noatime, $relatime, $noexec, $noexec | $noatime, $noexec | $relatime) {
    return if mounted('none', $target, '', $bind | $remount | $rdonly | $nosuid | $nodev | $extra, '');
  }
  fail("read-only mount of $target");
}
sub prepare {
  my (@skeleton) = @_;
  mount_or_die('none', '/', '', $rec | $private, '');
  mount_or_die('tmpfs', $base, 'tmpfs', $nosuid | $nodev, 'mode=755,size=64m');
  for my $name ('dev', 'pools', 'root', 'skeleton', 'system') { mkdir("$base/$name") or fail("$base/$name") }
  for my $name (@system) {
    if (-l "/$name") { symlink(readlink("/$name"), "$base/skeleton/$name") or fail($name) }
    elsif (-d "/$name") {
      mkdir($_) or fail($_) for "$base/system/$name", "$base/skeleton/$name";
      if ($name eq 'usr' && defined $usr_mount) { attached($usr_mount, "$base/system/usr") }
      else { read_only("/$name", "$base/system/$name") }
    }
  }
  if ($store ne '') {
    mkdir("$base/store") or fail('store');
    if (defined $store_mount) { attached($store_mount, "$base/store") }
    else { mount_or_die($store, "$base/store", '', $bind, '') }
  }
  for my $at (0 .. $#given) {
    my $place = "$base/given/$at";
    mkdir($_) for "$base/given", $place, "$place/folder", "$place/scratch";
    if (@given_mounts) { attached($given_mounts[$at], "$place/folder") }
    else { mount_or_die($given[$at][0], "$place/folder", '', $bind | $rec, '') }
  }
  mount_or_die('tmpfs', "$base/dev", 'tmpfs', $nosuid, 'mode=755,size=1m');
  for my $name (qw(null zero full random urandom tty)) {
    write_file("$base/dev/$name", '');
    mount_or_die("/dev/$name", "$base/dev/$name", '', $bind, '');
  }
  symlink("/proc/self/fd$_->[1]", "$base/dev/$_->[0]") for ['fd', ''], ['stdin', '/0'], ['stdout', '/1'], ['stderr', '/2'];
  mkdir("$base/dev/$_") for 'shm', 'pts';
  symlink('pts/ptmx', "$base/dev/ptmx");
  # All worlds have the same one: what somebody left there, others would find.
  read_only("$base/dev", "$base/dev");
  lay("$base/skeleton", $inner, @skeleton);
}

# What devices of random numbers give where they are pinned: the same to everybody who opens them.
sub make_random {
  return if -e "$base/random";
  srand(1);
  write_file("$base/random", pack('N*', map { int(rand(4294967296)) } 1 .. 262144));
}
# Writes files into a fresh layer. Their names are ours.
sub lay {
  my ($root, $owner, @files) = @_;
  my @made;
  while (my ($type, $path, $mode, $content) = splice(@files, 0, 4)) {
    my $full = "$root/$path";
    if ($type eq 'd' || $type eq 'r') {
      -d $full or mkdir($full) or fail($full);
      push(@made, $full);
      chmod($mode, $full) or fail($full);
      my ($key, $value) = ("$overlay_key", 'y');
      must('setxattr', $full, $key, $value, 1, 0) if $type eq 'r';
    } elsif ($type eq 'l') {
      symlink($content, $full) or fail($full);
    } else {
      write_file($full, $content);
      chmod($mode, $full) or fail($full);
      utime(1767225600, 1767225600, $full);
    }
    must('chown', -100, $full, $owner + 0, $owner + 0, 0x100) if $is_root && $path =~ m{^home/.};
  }
  utime(1767225600, 1767225600, $_) for @made;
}

${commandSource}
${groupSource}

my (%running, %live);
${liveSource}
sub serve {
  while (1) {
    my $bits = '';
    vec($bits, $_, 1) = 1 for 0, keys %running;
    next if select(my $ready = $bits, undef, undef, undef) <= 0;
    for my $number (keys %running) { hear($number) if vec($ready, $number, 1) }
    next unless vec($ready, 0, 1);
    my @order = receive();
    exit(0) unless @order;
    obey(@order);
  }
}
sub hear {
  my ($number) = @_;
  my $one = $running{$number};
  my $got = sysread($one->{from}, $one->{said}, 1 << 20, length $one->{said});
  hear_live($one) if defined $one->{name};
  return if $got;
  delete $running{$number};
  waitpid($one->{pid}, 0);
  free_group($one->{group});
  for my $work ('w', 'x') { rmdir("$base/pools/$one->{upper}/$work$_") for '/work', '' }
  return end_live($one) if defined $one->{name};
  # A layer that filled the disk is removed: nobody could go back otherwise.
  remove_layer($one->{upper}) if $one->{upper} ne '' && substr($one->{said}, 0, 14) eq packed('ok', 'disk');
  # One that ends without a word was killed, as by the limit on memory.
  answer($one->{id}, $one->{said} eq '' ? packed('killed') : $one->{said});
}
sub remove_layer {
  my ($name) = @_;
  my $pid = fork() // fail('fork');
  if ($pid == 0) { become('rm', '-rf', "$base/pools/$name") }
  waitpid($pid, 0);
}
# Becomes another program with the powers of this one, which a user who is not root would lose: folders may be closed to their owner.
sub become {
  my (@program) = @_;
  my ($head, $sets, $keep, $raise) = (pack('Li', 0x20080522, 0), "\0" x 24, 47, 2);
  syscall($call->{capget}, $head, $sets) == 0 or fail('capget');
  my @all = unpack('L6', $sets);
  @all[2, 5] = @all[1, 4];
  $sets = pack('L6', @all);
  must('capset', $head, $sets);
  for my $power (0 .. 63) { sys('prctl', $keep, $raise, $power, 0, 0) or last }
  { exec(@program) }
  exit(1);
}
# Orders that answer later, by themselves.
my %later = (run => \&start, live => \&open_live, tell => \&tell_live, ask => \&ask_live, end => \&stop_live);
my %orders = (
  pool => sub {
    my ($name, $size, $inodes) = @_;
    pool_groups($name, $size);
    mkdir("$base/pools/$name") or fail("pool $name");
    mount_or_die('tmpfs', "$base/pools/$name", 'tmpfs', $nosuid | $nodev, "mode=755,size=$size,nr_inodes=$inodes");
  },
  drop => sub {
    my $name = "$base/pools/$_[0]";
    must('umount', $name, 2);
    rmdir($name);
    drop_groups($_[0]);
  },
  lay => sub {
    my $layer = "$base/pools/" . shift(@_);
    mkdir($_) or fail($_) for $layer, "$layer/u", $store eq '' ? () : "$layer/v";
    lay("$layer/u", @_);
  },
  remove => \&remove_layer,
);
sub obey {
  my ($id, $verb, @given) = @_;
  my $done = eval {
    if (defined $later{$verb}) { $later{$verb}->($id, @given) }
    else { ($orders{$verb} // die "there is no order $verb\n")->(@given) }
    1;
  };
  if (!$done) { answer($id, packed('failed', $@)) }
  elsif (!defined $later{$verb}) { answer($id, packed('ok')) }
}
sub made_job {
  my ($layers, $upper, $limits, $env, $binds, @rest) = @_;
  my %job = (layers => $layers, upper => $upper, env => [unpacked($env)], binds => [unpacked($binds)], limits => {});
  @{ $job{limits} }{qw(wall cpu memory processes files size output)} = split(/ /, $limits);
  @job{qw(kind path cwd exports text shell wrapper uid capabilities kept stamp)} = @rest;
  return \%job;
}
# A fork into namespaces of its own: the child is the first process there, and everything there ends with it.
sub cloned {
  my ($namespaces, $work) = @_;
  my $pid = syscall($call->{clone}, $namespaces | 17, 0, 0, 0, 0);
  $pid == -1 and fail('clone');
  if ($pid == 0) { $work->(); exit(0) }
  return $pid;
}
sub make_layer {
  my $layer = "$base/pools/$_[0]";
  mkdir($_) or fail($_) for $layer, "$layer/w", $store eq '' ? () : ("$layer/v", "$layer/x");
  # The root: an ordinary user owns it, and writes as little there as who does not.
  mkdir("$layer/u", $store eq '' ? 0555 : 0755) or fail($layer);
}
# Does something in a process of its own, whose answer is passed on when it ends.
sub answered_later {
  my ($id, $upper, $work) = @_;
  pipe(my $from, my $to) or fail('pipe');
  my $pid = fork() // fail('fork');
  if ($pid == 0) {
    close($from);
    my $said = eval { must('prctl', $set_death_signal, 9, 0, 0, 0); $work->() };
    write_all($to, defined $said ? $said : packed('failed', $@));
    exit(0);
  }
  close($to);
  $running{fileno($from)} = { from => $from, pid => $pid, id => $id, upper => $upper, said => '' };
}
sub start {
  my ($id, @given) = @_;
  my $job = made_job(@given);
  make_random() if $job->{stamp} ne '';
  make_layer($job->{upper});
  my $group = taken_group($job);
  pipe(my $from, my $to) or fail('pipe');
  my $pid = cloned($all_new, sub {
    close($from);
    my $said = eval { enter_group($group); attend($job) };
    write_all($to, defined $said ? $said : packed('failed', $@));
  });
  close($to);
  $running{fileno($from)} = { from => $from, pid => $pid, id => $id, upper => $job->{upper}, said => '', group => $group };
}

my ($processor, @setting) = receive();
exit(0) unless defined $processor;
$call = $numbers{$processor};
($base, $inner, $filter, $store, my $names, my $groups, my $folders, my @skeleton) = @setting;
my @pairs = unpacked($folders);
push(@given, [splice(@pairs, 0, 2)]) while @pairs;
@system = split(/ /, $names);
@groups = split(/\n/, $groups);
# The root of a namespace, as in many containers, cannot give ids that nobody has.
$is_root = $> == 0 && -r '/proc/self/uid_map' && do { open(my $map, '<', '/proc/self/uid_map'); <$map> =~ /^\s*0\s+0\s+4294967295$/ };
my $ready = eval {
  die "the system calls of a $processor processor are not known\n" unless defined $call;
  # What whoever started us has left open.
  must('close_range', 3, 0xffffffff, 0);
  guard_groups();
  enter_namespaces();
  prepare(@skeleton);
  1;
};
answer(0, $ready ? packed('ok') : packed('failed', $@));
serve() if $ready;
`;
