//! Records in which a helper process sends its answers.

use crate::root::read::READ_CAP;
use std::io::{self, Read, Write};

/// Writes one answer: its kind, its length, and the bytes, the error number or the error text.
pub(super) fn write_record(out: &mut impl Write, answer: &io::Result<Vec<u8>>) -> io::Result<()> {
    let (kind, bytes) = match answer {
        Ok(bytes) => (b'+', bytes.clone()),
        Err(error) => match error.raw_os_error() {
            Some(number) => (b'-', number.to_le_bytes().to_vec()),
            None => (b'!', error.to_string().into_bytes()),
        },
    };
    let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&[kind])?;
    out.write_all(&len.to_le_bytes())?;
    out.write_all(&bytes)?;
    // Flush at once: the next file may hang.
    out.flush()
}

pub(super) fn read_record(input: &mut impl Read) -> io::Result<io::Result<Vec<u8>>> {
    let mut kind = [0];
    let mut len = [0; 4];
    input.read_exact(&mut kind)?;
    input.read_exact(&mut len)?;
    let len = u32::from_le_bytes(len);
    if len as usize > READ_CAP {
        return Err(io::Error::other("it sent more bytes than any file has"));
    }
    let mut bytes = Vec::new();
    input.take(u64::from(len)).read_to_end(&mut bytes)?;
    if bytes.len() != len as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    match (kind, bytes.as_slice()) {
        ([b'+'], _) => Ok(Ok(bytes)),
        ([b'-'], &[a, b, c, d]) => {
            Ok(Err(io::Error::from_raw_os_error(i32::from_le_bytes([a, b, c, d]))))
        }
        ([b'!'], _) => Ok(Err(io::Error::other(String::from_utf8_lossy(&bytes).into_owned()))),
        _ => Err(io::Error::other("it sent an invalid answer")),
    }
}
