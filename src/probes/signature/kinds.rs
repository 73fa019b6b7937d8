//! The signatures of known kinds of content: those of libblkid's superblocks (util-linux 2.42) and of its
//! partition tables that are identified by one mark.

/// A kind of content identified by one of its marks at one of its places.
pub(super) struct SignatureKind {
    pub(super) what: &'static str,
    /// Bytes from the beginning, or numbers of sectors from the end starting at 1.
    places: &'static [u64],
    /// Size of the sectors that places count, and a byte in them.
    sector: Option<(u64, u64)>,
    marks: &'static [&'static [u8]],
    /// Offset and length of the label.
    pub(super) label: Option<(u64, usize)>,
    /// An additional check: short marks occur by chance.
    pub(super) check: Option<MarkCheck>,
}

impl SignatureKind {
    /// The marks with their offsets on a device of this size.
    pub(super) fn marks_on(&self, size: u64) -> impl Iterator<Item = (u64, &'static [u8])> {
        let (marks, sector) = (self.marks, self.sector);
        let offset = move |place: u64| match sector {
            None => Some(place),
            Some((sector, byte)) => {
                Some((size / sector).checked_sub(place)?.checked_mul(sector)? + byte)
            }
        };
        let offsets = self.places.iter().filter_map(move |place| offset(*place));
        offsets.flat_map(move |at| marks.iter().map(move |mark| (at, *mark)))
    }

    const fn labelled(mut self, at: u64, length: usize) -> Self {
        self.label = Some((at, length));
        self
    }

    const fn checked(mut self, before: u64, length: usize, holds: fn(&[u8]) -> bool) -> Self {
        self.check = Some(MarkCheck { before, length, holds });
        self
    }
}

/// An additional check of the block around a mark.
#[derive(Clone, Copy)]
pub(super) struct MarkCheck {
    /// The block begins this many bytes before the mark.
    pub(super) before: u64,
    /// Length of the block.
    pub(super) length: usize,
    pub(super) holds: fn(&[u8]) -> bool,
}

const fn kind(
    what: &'static str,
    places: &'static [u64],
    marks: &'static [&'static [u8]],
) -> SignatureKind {
    SignatureKind { what, places, sector: None, marks, label: None, check: None }
}

/// Places are numbers of sectors of this size from the end, and a byte in them.
const fn at_end(
    what: &'static str,
    (size, places, byte): (u64, &'static [u64], u64),
    marks: &'static [&'static [u8]],
) -> SignatureKind {
    SignatureKind { sector: Some((size, byte)), ..kind(what, places, marks) }
}

const SECTOR: u64 = 512;
const LARGE_SECTOR: u64 = 4096;
const MIB: u64 = 1 << 20;

const LUKS: &str = "a LUKS encrypted volume";
const LVM: &str = "an LVM physical volume";
const FAT: &str = "a FAT file system";
const MINIX: &str = "a Minix file system";
const REISERFS: &str = "a ReiserFS file system";
const BCACHEFS: &str = "a bcachefs file system";
const BCACHEFS_MARK: &[u8] = b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef";
const IMSM: &str = "a part of an Intel RAID (imsm)";
const HIGHPOINT: &str = "a part of a HighPoint RAID";

#[rustfmt::skip]
pub(super) static KINDS: &[SignatureKind] = &[
    kind("an xfs file system", &[0], &[b"XFSB"]).labelled(108, 12),
    kind("an EXFS file system", &[0], &[b"EXFS"]),
    kind("a btrfs file system", &[65_600], &[b"_BHRfS_M"]).labelled(65_835, 256),
    kind(LUKS, &[0], &[b"LUKS\xba\xbe"]).labelled(24, 48),
    kind(LVM, &[24, 536, 1048, 1560], &[b"LVM2 001"]),
    kind(LVM, &[0], &[b"HM"]).checked(0, 4, |block| matches!(le16(block, 2), 1 | 2)),
    kind("a part of an md array", &[0, 4096], &[b"\xfc\x4e\x2b\xa9"]),
    kind("an NTFS file system", &[3], &[b"NTFS    "]),
    kind("an exFAT file system", &[3], &[b"EXFAT   "]),
    kind("a ReFS file system", &[0], &[b"\0\0\0ReFS\0"]),
    kind("a BitLocker volume", &[3], &[b"-FVE-FS-"]),
    kind("a BitLocker volume", &[0], &[b"\xeb\x58\x90MSWIN4.1"]),
    kind("a FileVault volume", &[88], &[b"CS"])
        .checked(88, 12, |block| (le16(block, 8), le16(block, 10)) == (1, 0x10)),
    kind(FAT, &[82], &[b"FAT32   ", b"MSWIN"]).labelled(71, 11),
    kind(FAT, &[54], &[b"FAT16   ", b"FAT12   ", b"FAT     ", b"MSDOS"]).labelled(43, 11),
    kind("an ISO 9660 file system", &[32_769], &[b"CD001"]).labelled(32_808, 32),
    kind("an ISO 9660 file system", &[32_777], &[b"CDROM"]),
    kind("a UDF file system", &[32_769], &[b"BEA01", b"BOOT2", b"CDW02", b"NSR02", b"NSR03", b"TEA01"]),
    kind("a squashfs file system", &[0], &[b"hsqs", b"sqsh"]),
    kind("an EROFS file system", &[1024], &[b"\xe2\xe1\xf5\xe0"]),
    kind("an f2fs file system", &[1024], &[b"\x10\x20\xf5\xf2"]),
    kind(REISERFS, &[65_588], &[b"ReIsErFs", b"ReIsEr2Fs", b"ReIsEr3Fs"]),
    kind(REISERFS, &[8244, 8212], &[b"ReIsErFs"]),
    kind("a Reiser4 file system", &[65_536], &[b"ReIsEr4"]),
    kind("a JFS file system", &[32_768], &[b"JFS1"]),
    kind("a NILFS2 file system", &[1030], &[b"\x34\x34"]).checked(6, 10, nilfs),
    at_end("a NILFS2 file system", (SECTOR, &[8], 6), &[b"\x34\x34"]).checked(6, 10, nilfs),
    kind("a bcache or bcachefs device", &[4120],
        &[b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"]),
    kind(BCACHEFS, &[4120, 2 * MIB + 24], &[BCACHEFS_MARK]),
    at_end(BCACHEFS, (1, &[MIB], 24), &[BCACHEFS_MARK]),
    kind("a GFS2 file system", &[65_536], &[b"\x01\x16\x19\x70"]),
    kind("a ScoutFS file system", &[65_540], &[b"\x8b\x42\x3c\x10"]),
    kind("an OCFS file system", &[8192], &[b"OracleCFS"]),
    // In its third block, of whatever size.
    kind("an OCFS2 file system", &[1024, 2048, 4096, 8192], &[b"OCFSV2"]),
    kind("a disk of Oracle ASM", &[32], &[b"ORCLDISK"]),
    kind("an HFS file system", &[1024], &[b"BD"]).checked(0, 24, hfs),
    kind("an HFS+ file system", &[1024], &[b"H+", b"HX"]).checked(0, 44, hfs_plus),
    kind("an APFS container", &[32], &[b"NXSB"]),
    kind("a device of dm-verity", &[0], &[b"verity\0\0"]),
    kind("a device of dm-integrity", &[0], &[b"integrt\0"]),
    kind("a snapshot of device mapper", &[0], &[b"SnAp"]),
    kind("a device of VDO", &[0], &[b"dmvdo001"]),
    kind("a device of Ceph", &[0], &[b"bluestore block device"]),
    kind("a device of mpool", &[0], &[b"mpoolDev"]),
    kind("a part of a Stratis pool", &[516, 4612], &[b"!Stra0tis\x86\xff\x02^Arh"]),
    kind("a part of a VMFS volume", &[MIB], &[b"\x0d\xd0\x01\xc0"]),
    kind("a VMFS file system", &[2 * MIB], &[b"\x5e\xf1\xab\x2f"]),
    kind("a control volume of DRBD", &[0], &[b"$DRBDmgr=q"]),
    kind("a log of DRBD Proxy", &[0], &[b"DRBDdlh*"]),
    at_end("a DRBD device", (1, &[4096], 60),
        &[b"\x83\x74\x02\x6b", b"\x83\x74\x02\x6c", b"\x83\x74\x02\x6d"]),
    at_end(IMSM, (SECTOR, &[2], 0), &[b"Intel Raid ISM Cfg Sig. "]),
    at_end(IMSM, (LARGE_SECTOR, &[2], 0), &[b"Intel Raid ISM Cfg Sig. "]),
    at_end("a part of a DDF RAID", (SECTOR, &[1, 257], 0), &[b"\xde\x11\xde\x11"]),
    at_end("a part of an Adaptec RAID", (SECTOR, &[1], 0), &[b"\x37\xfc\x4d\x1e"]),
    at_end("a part of an LSI RAID", (SECTOR, &[1], 0), &[b"$XIDE$"]),
    at_end("a part of an NVIDIA RAID", (SECTOR, &[2], 0), &[b"NVIDIA  "]),
    at_end("a part of a JMicron RAID", (SECTOR, &[1], 0), &[b"JM"]).checked(0, 128, jmicron),
    at_end("a part of a VIA RAID", (SECTOR, &[1], 0), &[b"\x55\xaa"]).checked(0, 51, via),
    at_end("a part of a Silicon Image RAID", (SECTOR, &[1], 0x60), &[b"\0\0\0\x2f"])
        .checked(0x60, 0x140, silicon),
    at_end(HIGHPOINT, (SECTOR, &[11], 0), &[b"\xf3\x16\x78\x5a", b"\xfd\x16\x78\x5a"]),
    kind(HIGHPOINT, &[4640], &[b"\xf0\x16\x78\x5a", b"\xfd\x16\x78\x5a"]),
    kind("a romfs file system", &[0], &[b"-rom1fs-"]),
    kind("a cramfs file system", &[0], &[b"\x45\x3d\xcd\x28", b"\x28\xcd\x3d\x45"]),
    kind("a zonefs file system", &[0], &[b"SFOZ"]),
    kind("a UBI image", &[0], &[b"UBI#"]),
    kind("a UBIFS file system", &[0], &[b"\x31\x18\x10\x06"]),
    kind("an HPFS file system", &[8192], &[b"\x49\xe8\x95\xf9"]),
    kind("a NetWare file system", &[4096], &[b"SPB5"]),
    kind("a VxFS file system", &[1024], &[b"\xf5\xfc\x01\xa5"]),
    kind("a VxFS file system", &[8192], &[b"\xa5\x01\xfc\xf5"]),
    kind("a Xenix file system", &[2048], &[b"\x2b\x55\x44", b"\x44\x55\x2b"]),
    kind("a BFS file system", &[0], &[b"\xce\xfa\xad\x1b"]),
    kind("a BeFS file system", &[32, 544], &[b"BFS1", b"1SFB"]),
    kind(MINIX, &[1040],
        &[b"\x7f\x13", b"\x8f\x13", b"\x13\x7f", b"\x13\x8f",
          b"\x68\x24", b"\x78\x24", b"\x24\x68", b"\x24\x78"])
        .checked(16, 20, minix),
    kind(MINIX, &[1048], &[b"\x5a\x4d", b"\x4d\x5a"]).checked(24, 30, minix3),
    kind("a partition table (SGI)", &[0], &[b"\x0b\xe5\xa9\x41"]),
    kind("a partition table (Sun)", &[508], &[b"\xda\xbe"]).checked(508, 512, sun),
    kind("a partition table (Apple)", &[512], &[b"PM"])
        .checked(512, 514, |block| block.starts_with(b"ER")),
    kind("a partition table (BSD)", &[64, 128, 512], &[b"\x57\x45\x56\x82"]),
    at_end("a part of a Promise FastTrack RAID", (SECTOR, &PROMISE, 0), &[b"Promise Technology, Inc."]),
    kind(LUKS, &LUKS2, &[b"SKUL\xba\xbe"]),
    // Marks in both byte orders.
    kind("a UFS file system", &[1372, (8 << 10) + 1372, (64 << 10) + 1372, (256 << 10) + 1372],
        &[b"\x19\x01\x54\x19", b"\x19\x54\x01\x19", b"\x54\x19\x01\x00", b"\x00\x01\x19\x54",
          b"\x12\x56\x19\x00", b"\x00\x19\x56\x12", b"\x14\x50\x09\x00", b"\x00\x09\x50\x14",
          b"\x95\x21\x61\x00", b"\x00\x61\x21\x95", b"\x94\x19\x23\x05", b"\x05\x23\x19\x94"]),
    kind("a System V file system", &[1016, (9 << 10) + 1016, (15 << 10) + 1016, (18 << 10) + 1016],
         &[b"\x20\x7e\x18\xfd", b"\xfd\x18\x7e\x20"]),
];

/// Where Promise controllers write, in sectors from the end.
const PROMISE: [u64; 13] = [63, 255, 256, 16, 399, 591, 675, 735, 911, 974, 991, 951, 3087];
/// Possible offsets of the second LUKS2 header.
const LUKS2: [u64; 9] =
    [0x4000, 0x8000, 0x1_0000, 0x2_0000, 0x4_0000, 0x8_0000, 0x10_0000, 0x20_0000, 0x40_0000];

/// The number at this place of a block; 0 past its end.
fn le16(block: &[u8], at: usize) -> u16 {
    block.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn be32(block: &[u8], at: usize) -> u32 {
    block.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// The sum of 16-bit numbers.
fn sum(block: &[u8]) -> u16 {
    let numbers = (0..block.len()).step_by(2).map(|at| le16(block, at));
    numbers.fold(0, u16::wrapping_add)
}

fn nilfs(block: &[u8]) -> bool {
    (1..=1024).contains(&le16(block, 8))
}

fn hfs(block: &[u8]) -> bool {
    let size = be32(block, 20);
    size > 0 && size.is_multiple_of(512)
}

fn hfs_plus(block: &[u8]) -> bool {
    let size = be32(block, 40);
    size >= 512 && size.is_power_of_two()
}

/// Plausible inodes, zones of one block, and a state of two bits, in either byte order.
fn minix(block: &[u8]) -> bool {
    let state = le16(block, 18);
    le16(block, 0) != 0 && le16(block, 10) == 0 && (state & !3 == 0 || state.swap_bytes() & !3 == 0)
}

fn minix3(block: &[u8]) -> bool {
    let size = le16(block, 28);
    let is_size = |size: u16| size >= 1024 && size.is_power_of_two();
    be32(block, 0) != 0 && le16(block, 12) == 0 && (is_size(size) || is_size(size.swap_bytes()))
}

fn sun(block: &[u8]) -> bool {
    (0..block.len()).step_by(2).fold(0, |sum, at| sum ^ le16(block, at)) == 0
}

fn jmicron(block: &[u8]) -> bool {
    sum(block) <= 1 && block.get(0x30).is_some_and(|mode| *mode <= 5)
}

fn via(block: &[u8]) -> bool {
    let Some((sum, rest)) = block.split_last() else { return false };
    let is = rest.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) == *sum;
    is && rest.get(2).is_some_and(|version| *version <= 2)
}

/// The checksum makes the sum zero.
fn silicon(block: &[u8]) -> bool {
    sum(block) == 0 && block.get(0x116).is_some_and(|disk| *disk < 8)
}
