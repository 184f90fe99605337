/**
 * The part of the helper that limits all processes of a sandbox together, by control groups. A world keeps its groups until it is dropped:
 * files of its layers lie in memory, and that memory belongs to the group that wrote them.
 */
export const groupSource = String.raw`
my (%groups_of, %free_groups, %disk_of);
# Root again outside of all namespaces: removes the groups, and the folder, when the helper has ended in whatever way.
sub guard_groups {
  return unless @groups;
  pipe(my $ended, my $alive) or fail('pipe');
  my $pid = fork() // fail('fork');
  # The end that it holds is open as long as the helper or a sandbox is.
  if ($pid != 0) {
    close($ended);
    $keep_open = $alive;
    # What it starts can join groups beside its own, and nobody removes groups that are in use.
    write_file("$_/main/cgroup.procs", '0') for @groups;
    return;
  }
  close($_) for $alive, \*STDIN, \*STDOUT, \*STDERR;
  $0 = 'espalier-terminal-guard';
  1 while sysread($ended, my $byte, 1);
  for (1 .. 100) {
    for my $folder (@groups) { rmdir($_) for glob("$folder/*/"), $folder }
    rmdir($base);
    last unless grep { -d } @groups, $base;
    select(undef, undef, undef, 0.02);
  }
  exit(0);
}
sub pool_groups { my ($pool, $size) = @_; $disk_of{$pool} = $size }
# A group that nobody is in, with the limits of a job. Files of the world count beside the memory of its processes.
sub taken_group {
  my ($job) = @_;
  return undef unless @groups;
  my $pool = $job->{upper} =~ m{^(\d+)/} ? $1 : 'store';
  my $group = pop(@{ $free_groups{$pool} });
  if (!defined $group) {
    $group = { pool => $pool, name => "$pool-" . @{ $groups_of{$pool} //= [] }, limits => '' };
    mkdir("$_/$group->{name}") || $!{EEXIST} or fail('control group') for @groups;
    push(@{ $groups_of{$pool} }, $group);
  }
  my ($memory, $processes) = ($job->{limits}{memory} + ($disk_of{$pool} // 0), $job->{limits}{processes} + 16);
  my $limits = "$memory $processes";
  return $group if $group->{limits} eq $limits;
  # Of the first version the limit with swap is never below the one without it.
  my @files = (
    ['memory.memsw.limit_in_bytes', -1], ['memory.limit_in_bytes', $memory], ['memory.memsw.limit_in_bytes', $memory],
    ['memory.max', $memory], ['memory.swap.max', 0], ['pids.max', $processes],
    ['cpu.cfs_quota_us', 200000], ['cpu.max', '200000 100000'],
  );
  for my $folder (@groups) {
    for (@files) { write_file("$folder/$group->{name}/$_->[0]", $_->[1]) if -e "$folder/$group->{name}/$_->[0]" }
  }
  $group->{limits} = $limits;
  return $group;
}
# Done by the first process of a sandbox, which sees no group but its own afterwards.
sub enter_group {
  my ($group) = @_;
  for (defined $group ? map { "$_/$group->{name}" } @groups : ()) {
    # It has one thread. Where a thread can be moved (version 1), the kernel need not wait until no process forks.
    write_file(-e "$_/tasks" ? "$_/tasks" : "$_/cgroup.procs", '0');
  }
  sys('unshare', $new_cgroup);
}
sub free_group { my ($group) = @_; push(@{ $free_groups{ $group->{pool} } }, $group) if defined $group }
sub drop_groups {
  my ($pool) = @_;
  for my $group (@{ delete $groups_of{$pool} // [] }) { rmdir("$_/$group->{name}") for @groups }
  delete $free_groups{$pool};
}
`;
