/** Modules of the kernel that a guest needs, in the order in which they are loaded. */
export const guestModules = [
  'virtio_ring',
  'virtio',
  'virtio_mmio',
  'virtio_blk',
  'virtio_console',
  'overlay',
] as const;

/** The first program of a guest, in Perl: mounts the root and becomes the helper that makes sandboxes, which hears on a port. */
export const guestSource = String.raw`
sub call { my ($number, @given) = @_; my $got = syscall($number, @given); die "call $number: $!\n" if $got == -1; return $got }
sub attach { my ($from, $to, $type, $flags) = @_; my $data = ''; call(165, $from, $to, $type, $flags, $data) }
attach('' . 'devtmpfs', '' . '/dev', '' . 'devtmpfs', 0);
for my $name (qw(${guestModules.join(' ')})) {
  next unless open(my $file, '<', "/modules/$name.ko");
  my $options = '';
  eval { call(313, fileno($file), $options, 0) };
}
my $disk = '/dev/vda';
for (1 .. 500) { last if -b $disk; select(undef, undef, undef, 0.01) }
attach($disk, '' . '/root', '' . 'ext4', 1);
open(my $source, '<', '/helper.pl') or die;
my $helper = do { local $/; <$source> };
chdir('/root');
attach('' . '.', '' . '/', '' . '', 8192);
my $here = '.';
call(161, $here);
chdir('/');
attach('' . 'devtmpfs', '' . '/dev', '' . 'devtmpfs', 0);
attach('' . 'proc', '' . '/proc', '' . 'proc', 0);
attach('' . 'tmpfs', '' . '/tmp', '' . 'tmpfs', 0);
mkdir('/tmp/espalier');
my $port;
for (1 .. 500) { last if defined $port; select(undef, undef, undef, 0.01); ($port) = grep { -c } map { "/dev/vport" . $_ . 'p1' } 0 .. 3 }
sysopen(my $line, $port, 2) or die "port: $!\n";
call(292, fileno($line), $_, 0) for 0, 1;
@ARGV = ('machine');
eval $helper;
die $@;
`;
