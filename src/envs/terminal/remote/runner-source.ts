/**
 * What runs in a sandbox of somebody else for each action, in Perl: lays files, or runs a command within limits, and then says what lies
 * in the folders that count and which processes live. Only `perl-base` and coreutils are needed.
 */
export const runnerSource = String.raw`
use strict;
use warnings;
use POSIX ();
my $is_arm = (POSIX::uname())[4] eq 'aarch64';
my ($rlimit, $prctl) = $is_arm ? (261, 167) : (302, 157);
my $home = '/home/user';
my ($uid, $gid) = $> == 0 ? ((getpwnam('user'))[2, 3]) : ($>, $) + 0);
($uid, $gid) = (1000, 1000) unless defined $uid;

sub packed { return pack('(N/a*)*', @_) }
sub unpacked { return unpack('(N/a*)*', $_[0]) }
sub decoded {
  my ($text) = @_;
  $text =~ tr{A-Za-z0-9+/}{}cd;
  $text =~ tr{A-Za-z0-9+/}{ -_};
  return join('', map { unpack('u', chr(32 + int(length($_) * 3 / 4)) . $_) } $text =~ /(.{1,60})/gs);
}
sub encoded {
  my ($bytes) = @_;
  my $text = pack('u', $bytes);
  $text =~ s/^.//mg;
  $text =~ s/\n//g;
  $text =~ tr{\x60 -_}{AA-Za-z0-9+/};
  my $pad = (3 - length($bytes) % 3) % 3;
  substr($text, -$pad) = '=' x $pad if $pad;
  return $text;
}
sub fail { die "$_[0]: $!\n" }
sub made_folders {
  my ($path) = @_;
  my $made = $path =~ m{^/} ? '' : '.';
  for my $part (grep { $_ ne '' } split(m{/}, $path)) { $made .= "/$part"; mkdir($made) }
}
sub write_file {
  my ($path, $text) = @_;
  open(my $out, '>', $path) or return 0;
  print {$out} $text or return 0;
  return close($out);
}

sub lay {
  while (my ($type, $path, $mode, $content) = splice(@_, 0, 4)) {
    my $full = "/$path";
    if ($type eq 'd' || $type eq 'r') {
      system('rm', '-rf', '--', $full) if $type eq 'r';
      made_folders($full);
      next unless $full =~ m{^$home};
      chmod($mode, $full) or fail($full);
    } elsif ($type eq 'l') { unlink($full); symlink($content, $full) or fail($full) }
    else { write_file($full, $content) or fail($full); chmod($mode, $full); utime(1767225600, 1767225600, $full) }
    chown($uid, $gid, $full) if $> == 0 && $type ne 'l' && $full =~ m{^$home};
  }
  return '';
}

sub limit { my ($which, $most) = @_; syscall($rlimit, 0, $which, pack('QQ', $most, $most), 0) }
sub told { print $_[0]; return 1 }
sub act {
  my ($job) = @_;
  my ($kind, $path, $text) = @$job{qw(kind path text)};
  if ($kind eq 'run') {
    %ENV = unpacked($job->{env});
    chdir($home);
    { exec('/bin/bash', '-c', $job->{wrapper}, 'sh', $job->{cwd}, $job->{exports}, $text) }
    return told("/bin/bash: $!");
  }
  chdir($job->{cwd}) or return told("$job->{cwd}: $!");
  return told('it is a folder') if -d $path;
  return told('it is no plain file') if -e _ && !-f _;
  if ($kind eq 'read') {
    open(my $in, '<', $path) or return told("$!");
    while (sysread($in, my $piece, 65536)) { syswrite(STDOUT, $piece) }
    return 0;
  }
  made_folders($1) if $path =~ m{^(.+)/[^/]+$}s;
  return write_file($path, $text) ? 0 : told("$!");
}
sub started {
  my ($job, $output, $state) = @_;
  my $child = fork() // fail('fork');
  return $child if $child != 0;
  my %limits = %{ $job->{limits} };
  limit($_->[0], $limits{ $_->[1] }) for [7, 'files'], [1, 'size'], [9, 'memory'], [0, 'cpu'], [6, 'processes'];
  limit(4, 0);
  POSIX::setsid();
  open(STDIN, '<', '/dev/null');
  my $place = fileno($state);
  POSIX::dup2($place, 3) if $place != 3;
  POSIX::dup2(fileno($output), $_) for 1, 2;
  if ($> == 0) { $) = "$gid $gid"; POSIX::setgid($gid) && POSIX::setuid($uid) or POSIX::_exit(125) }
  my ($one, $none) = (1, 0);
  syscall($prctl, 38, $one, $none, $none, $none);
  $| = 1;
  my $code = act($job);
  POSIX::_exit($code);
}
sub carried_out {
  my ($job) = @_;
  pipe(my $out, my $out_in) or fail('pipe');
  pipe(my $state, my $state_in) or fail('pipe');
  my $child = started($job, $out_in, $state_in);
  close($_) for $out_in, $state_in;
  my ($output, $place, $status, $why) = ('', '', undef, '');
  my $until = time() + $job->{limits}{wall};
  my %open = (fileno($out) => [$out, \$output, $job->{limits}{output}], fileno($state) => [$state, \$place, 65536]);
  my $stop = sub { $why = $_[0]; kill('KILL', -$child) };
  while (1) {
    my $bits = '';
    vec($bits, $_, 1) = 1 for keys %open;
    $stop->('time') if $why eq '' && time() > $until;
    my $found = select(my $ready = $bits, undef, undef, defined $status ? 0 : 0.02);
    for my $number ($found > 0 ? keys %open : ()) {
      next unless vec($ready, $number, 1);
      my ($handle, $into, $most) = @{ $open{$number} };
      my $got = sysread($handle, my $piece, 65536);
      if (!$got) { delete $open{$number}; next }
      my $room = $most - length($$into);
      $$into .= substr($piece, 0, $room) if $room > 0;
      $stop->('output') if $got > $room && $number == fileno($out) && $why eq '';
    }
    # What lives on may hold the pipe open.
    last if defined $status && $found <= 0;
    if (!defined $status && waitpid($child, 1) == $child) { $status = $? }
  }
  return ($why, $why eq '' ? $status : '', $output, $place);
}

# Folders, files with their hashes, links and what is none of these, below folders that are there.
my @folders = ('home/user', 'tmp', 'var/tmp', 'opt', 'srv');
my $most = 50000;
sub walk {
  my ($path, $entries, $files) = @_;
  opendir(my $handle, "/$path") or return;
  for my $name (sort grep { $_ ne '.' && $_ ne '..' } readdir($handle)) {
    my $own = "$path/$name";
    my $mode = (lstat("/$own"))[2] // next;
    @$entries < 4 * $most or die "more than $most files lie in the folders that are compared\n";
    my $bits = $mode & 07777;
    if (-l _) { push(@$entries, 'l', $own, 0, readlink("/$own")) }
    elsif (-d _) { push(@$entries, 'd', $own, $bits, ''); walk($own, $entries, $files) }
    elsif (-f _) { push(@$files, [scalar(@$entries), $own]); push(@$entries, 'f', $own, $bits, (-s _) . ' ') }
    else { push(@$entries, 's', $own, $bits, '') }
  }
}
sub seen_files {
  my (@entries, @files);
  for my $folder (@folders) {
    my $mode = (lstat("/$folder"))[2] // next;
    push(@entries, 'd', $folder, $mode & 07777, '');
    walk($folder, \@entries, \@files);
  }
  while (my @some = splice(@files, 0, 400)) {
    open(my $from, '-|', 'sh', '-c', 'exec sha256sum -z -- "$@" 2>/dev/null', 'sh', map { "/$_->[1]" } @some) or fail('sha256sum');
    local $/ = "\0";
    my %hashes;
    while (my $line = <$from>) { chomp($line); $hashes{$2} = $1 if $line =~ /^([0-9a-f]{64})  (.*)$/s }
    $entries[$_->[0] + 3] .= $hashes{"/$_->[1]"} // 'unreadable' for @some;
  }
  return @entries;
}
# How many of the user's processes run or wait for a disk, and their command lines by their depth; not our own.
sub processes {
  my (%found, %busy, %ours);
  opendir(my $proc, '/proc') or fail('proc');
  for my $pid (grep { /^\d+$/ && $_ != 1 } readdir($proc)) {
    open(my $stat, '<', "/proc/$pid/stat") or next;
    my $owner = (stat($stat))[4];
    my ($state, $parent) = (<$stat> // '') =~ /\) (\S) (\d+)/ or next;
    $ours{$pid} = $parent;
    next if $state eq 'Z' || $owner != $uid;
    $busy{$pid} = 1 if $state =~ /[RD]/;
    open(my $line, '<', "/proc/$pid/cmdline") or next;
    local $/;
    $found{$pid} = [$parent, join(' ', split(/\0/, <$line> // ''))];
  }
  for (my $at = $$; $at; $at = $ours{$at}) { delete $_->{$at} for \(%found, %busy) }
  my $depth = sub { my ($at, $count) = (shift, 0); while (defined $found{$at} && $count < 99) { $count++; $at = $found{$at}[0] } return $count };
  return (scalar(keys %busy), sort map { ('  ' x ($depth->($_) - 1)) . $found{$_}[1] } keys %found);
}

my $given = shift(@ARGV);
if ($given =~ s/^\@//) { open(my $in, '<', $given) or fail($given); unlink($given); local $/; $given = <$in> }
my ($verb, @fields) = unpacked(decoded($given));
my @said = eval {
  return lay(@fields) if $verb eq 'lay';
  return '' if $verb eq 'look';
  my ($limits, $env, $binds, @rest) = @fields;
  my %job = (env => $env, limits => {});
  @{ $job{limits} }{qw(wall cpu memory processes files size output)} = split(/ /, $limits);
  @job{qw(kind path cwd exports text shell wrapper)} = @rest;
  packed('ok', carried_out(\%job), 0);
};
@said = ($@) if $@;
my $failed = $@;
my @seen = $failed ? () : eval { (packed(seen_files()), packed(processes())) };
$failed = $@ if $@;
print encoded($failed ? packed('failed', $failed) : packed('ok', $said[0] // '', @seen)), "\n";
`;
