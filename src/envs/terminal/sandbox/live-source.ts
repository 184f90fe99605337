/**
 * The part of the helper that keeps a sandbox between commands: its processes live on, and it may have a terminal. Orders come by a
 * pipe, one after another.
 */
export const liveSource = String.raw`
sub open_live {
  my ($id, $name, @given) = @_;
  my $job = made_job(@given);
  make_random() if $job->{stamp} ne '';
  make_layer($job->{upper});
  my $group = taken_group($job);
  pipe(my $from, my $to) or fail('pipe');
  pipe(my $orders, my $order) or fail('pipe');
  my $pid = cloned($all_new, sub {
    close($_) for $from, $order;
    my $lived = eval { enter_group($group); live($job, $orders, $to); 1 };
    reply($to, 'failed', $@) unless $lived;
  });
  close($_) for $to, $orders;
  $live{$name} = $running{fileno($from)} =
    { from => $from, to => $order, pid => $pid, id => $id, upper => $job->{upper}, layers => $job->{layers}, said => '', name => $name, group => $group };
}
sub ask_live {
  my ($id, $name, @given) = @_;
  my $one = $live{$name};
  return answer($id, packed('ended')) unless defined $one;
  $one->{id} = $id;
  my $body = packed(@given);
  local $SIG{PIPE} = 'IGNORE';
  write_all($one->{to}, pack('N', length $body) . $body);
}
# Whole answers are passed on; one that was asked for something when it ended says so.
sub hear_live {
  my ($one) = @_;
  while (length($one->{said}) >= 4 && length($one->{said}) >= 4 + unpack('N', $one->{said})) {
    my $size = unpack('N', $one->{said});
    answer($one->{id}, substr($one->{said}, 4, $size));
    $one->{said} = substr($one->{said}, 4 + $size);
    $one->{id} = undef;
  }
}
# A sandbox ends when its first process does: so does everything in it
sub stop_live {
  my ($id, $name) = @_;
  my $one = $live{$name};
  return answer($id, packed('ended')) unless defined $one;
  $one->{id} = $id;
  kill(9, $one->{pid});
}
sub end_live {
  my ($one) = @_;
  delete $live{ $one->{name} };
  # Whoever wants what it wrote has frozen it.
  remove_layer($one->{upper});
  answer($one->{id}, packed('ended')) if defined $one->{id};
}
# What it wrote so far, and as a layer of its own when one is named.
sub tell_live {
  my ($id, $name, $copy) = @_;
  my $one = $live{$name} // die "it has ended\n";
  my ($upper, $lowest) = ($one->{upper}, (split(/:/, $one->{layers}))[-1]);
  answered_later($id, $copy, sub {
    # Who lives there may put a pipe where a file was.
    alarm(20);
    copy_layer($upper, $copy) if $copy ne '';
    my ($why, @entries) = told_layers($copy ne '', opened_layer($copy eq '' ? $upper : $copy, $lowest));
    return packed('ok', $why, @entries);
  });
}
# Who lives there may put a link where a folder was: whoever copies sees nothing but system folders and the two layers.
sub copy_layer {
  my ($upper, $copy) = @_;
  mkdir("$base/pools/$copy") or fail('layer');
  my $pid = cloned($new_pid | $new_ns, sub {
    must('prctl', $set_death_signal, 9, 0, 0, 0);
    my ($root, $here) = ("$base/root", '.');
    mount_or_die("$base/skeleton", $root, '', $bind, '');
    chdir($root) or fail($root);
    mount_or_die("$base/system/$_", $_, '', $bind | $rec, '') for grep { -d "$base/system/$_" } @system;
    mount_or_die("$base/pools/$_->[0]", $_->[1], '', $bind, '') for [$upper, 'mnt'], [$copy, 'srv'];
    mount_or_die('proc', 'proc', 'proc', $nosuid | $nodev | $noexec, '');
    must('pivot', $here, $here);
    must('umount', $here, 2);
    chdir('/') or fail('layer');
    # What goes away while it is copied is left out.
    open(STDERR, '>', '/srv/unread');
    become('cp', '-a', '--', map("mnt/$_", 'u', $store eq '' ? () : 'v'), 'srv');
  });
  waitpid($pid, 0);
}

sub reply { my ($to, @said) = @_; my $body = packed(@said); write_all($to, pack('N', length $body) . $body) or exit(0) }
sub live {
  my ($job, $orders, $to) = @_;
  settle($job);
  reply($to, 'ok');
  my ($tty, %left);
  while (1) {
    my $bits = '';
    vec($bits, $_, 1) = 1 for fileno($orders), keys %left, defined $tty ? fileno($tty->{master}) : ();
    my $found = select(my $ready = $bits, undef, undef, undef);
    # What commands left running may go on printing: nobody reads it.
    for my $number ($found > 0 ? keys %left : ()) {
      delete $left{$number} if vec($ready, $number, 1) && !sysread($left{$number}, my $piece, 65536);
    }
    hear_terminal($tty) if $found > 0 && defined $tty && vec($ready, fileno($tty->{master}), 1);
    while ((my $ended = waitpid(-1, 1)) > 0) { $tty->{ended} = 1 if defined $tty && $ended == $tty->{pid} }
    next unless $found > 0 && vec($ready, fileno($orders), 1);
    my $head = read_exactly($orders, 4) // exit(0);
    my ($verb, @given) = unpacked(read_exactly($orders, unpack('N', $head)) // exit(0));
    if ($verb eq 'do') {
      my $own = made_job($job->{layers}, $job->{upper}, @given);
      my @said = is_crowded($own) ? ('', 125 << 8, "sandbox: too many processes are alive\n", '') : carried_out($own, \&end_group);
      my $open = $said[4];
      $left{fileno($open)} = $open if defined $open;
      reply($to, 'ok', @said[0 .. 3], 0);
    } elsif ($verb eq 'keys') {
      my ($keys, $size, $seconds, @rest) = @given;
      $tty = undef if defined $tty && $tty->{ended} && $tty->{said} eq '';
      my $is_new = !defined $tty;
      $tty //= opened_terminal(made_job($job->{layers}, $job->{upper}, @rest), $size);
      # A shell says by its prompt that it has begun.
      type_keys($tty, '', 4 * $seconds) if $is_new;
      type_keys($tty, $keys, $seconds);
      reply($to, 'ok', $tty->{ended} ? 0 : 1, $tty->{said});
      $tty->{said} = '';
    } elsif ($verb eq 'processes') { reply($to, 'ok', processes()) }
  }
}
# The group of a command that went over a limit, with what it forks meanwhile. What has a session of its own lives on.
sub end_group { my ($child, $is_limit) = @_; for (1 .. 20) { $is_limit && kill(9, -$child) or last } }
sub numbers_in_proc { opendir(my $proc, '/proc') or fail('proc'); return grep { /^\d+$/ && $_ != 1 } readdir($proc) }
sub is_crowded { my ($job) = @_; my @all = numbers_in_proc(); return @all > $job->{limits}{processes} }
# How many run or wait for a disk; then command lines by their depth, without numbers that differ from run to run.
sub processes {
  my (%found, $busy);
  for my $pid (numbers_in_proc()) {
    open(my $stat, '<', "/proc/$pid/stat") or next;
    my ($state, $parent) = (<$stat> // '') =~ /\) (\S) (\d+)/ or next;
    next if $state eq 'Z';
    $busy++ if $state =~ /[RD]/;
    open(my $line, '<', "/proc/$pid/cmdline") or next;
    local $/;
    $found{$pid} = [$parent, join(' ', split(/\0/, <$line> // ''))];
  }
  my $depth = sub { my ($at, $count) = (shift, 0); while (defined $found{$at} && $count < 99) { $count++; $at = $found{$at}[0] } return $count };
  return ($busy // 0, sort map { ('  ' x ($depth->($_) - 1)) . $found{$_}[1] } keys %found);
}

sub opened_master {
  sysopen(my $master, $_[0], 2 | 0400 | 04000) or fail('ptmx');
  my ($unlock, $number) = (pack('i', 0), pack('i', 0));
  ioctl($master, 0x40045431, $unlock) or fail('unlock');
  ioctl($master, 0x80045430, $number) or fail('terminal number');
  return ($master, unpack('i', $number));
}
sub opened_terminal {
  my ($job, $size) = @_;
  my ($master, $number) = opened_master('/dev/pts/ptmx');
  my $path = "/dev/pts/$number";
  my $window = pack('S4', split(/ /, $size), 0, 0);
  ioctl($master, 0x5414, $window) or fail('size');
  sysopen(my $slave, $path, 2 | 0400) or fail($path);
  chown($job->{uid}, $job->{uid}, $path) if $is_root;
  $job->{kind} = 'terminal';
  # Its other end stays open here, to ask it whether something is on its way.
  return { master => $master, slave => $slave, pid => started($job, $slave, undef), said => '', ended => 0, most => $job->{limits}{output} };
}
sub hear_terminal {
  my ($tty) = @_;
  my $got = sysread($tty->{master}, my $piece, 65536);
  # An error: nobody has it open any more.
  if (!$got) { $tty->{ended} = 1 unless !defined $got && $!{EAGAIN}; return 0 }
  $tty->{said} = substr($tty->{said} . $piece, -$tty->{most});
  return 1;
}
# Types, and waits until the program in front waits for more, or prints nothing for a second, or the time is over.
sub type_keys {
  my ($tty, $keys, $seconds) = @_;
  my ($until, $last, $at, $calm) = (now() + $seconds, now(), 0, 0);
  while (!$tty->{ended}) {
    my $time = now();
    last if $time >= $until;
    if ($at < length($keys)) {
      my $wrote = syswrite($tty->{master}, $keys, 256, $at);
      if (defined $wrote) { $at += $wrote; $last = $time }
    }
    my $bits = '';
    vec($bits, fileno($tty->{master}), 1) = 1;
    if (select($bits, undef, undef, 0.01) > 0 && hear_terminal($tty)) { $last = now(); next }
    my $quiet = now() - $last;
    if ($at >= length($keys) && $quiet > 0.04) {
      # A program may wait for a moment and go on: several looks must agree.
      $calm = is_settled($tty, $quiet) ? $calm + 1 : 0;
      last if $calm > 2 || ($quiet > 1 && !is_busy($tty));
    }
    while ((my $ended = waitpid(-1, 1)) > 0) { $tty->{ended} = 1 if $ended == $tty->{pid} }
  }
  # What it printed last.
  if ($tty->{ended}) { 1 while hear_terminal($tty) }
}
# Whether there is something to read. Who asks a terminal waits until the kernel has carried what was written at its other end.
sub has_input {
  vec(my $bits = '', fileno($_[0]), 1) = 1;
  return select($bits, undef, undef, 0) > 0;
}
# Whether all that was typed has come to who reads it, who waits for more, and all that was printed was heard.
sub is_settled {
  my ($tty, $quiet) = @_;
  has_input($tty->{slave});
  return is_waiting($tty, $quiet) && !has_input($tty->{master});
}
# Whether something of the terminal's session runs: on a busy machine it may only wait for its turn.
sub is_busy {
  my ($tty) = @_;
  for my $pid (numbers_in_proc()) {
    open(my $stat, '<', "/proc/$pid/stat") or next;
    return 1 if (<$stat> // '') =~ /\) [RD] \d+ \d+ (\d+)/ && $1 == $tty->{pid};
  }
  return 0;
}
# Whether the processes in front are all in a call that waits for input.
sub is_waiting {
  my ($tty, $quiet) = @_;
  my $group = pack('i', 0);
  ioctl($tty->{master}, 0x540f, $group) or return 0;
  my ($front, $seen) = (unpack('i', $group), 0);
  # Editors wait a little for answers of the terminal, also when they end. A shell does not.
  return 0 if $front != $tty->{pid} && $quiet < 0.15;
  for my $pid (numbers_in_proc()) {
    open(my $stat, '<', "/proc/$pid/stat") or next;
    my ($state, $own) = (<$stat> // '') =~ /\) (\S) \d+ (\d+)/ or next;
    next if $own != $front || $state eq 'Z';
    return 0 if $state eq 'R' || $state eq 'D';
    open(my $in, '<', "/proc/$pid/syscall") or return 0;
    my ($number) = (<$in> // '') =~ /^(\d+) /;
    return 0 unless defined $number && grep { $_ == $number } @{ $call->{waiting} };
    $seen = 1;
  }
  return $seen;
}
`;
