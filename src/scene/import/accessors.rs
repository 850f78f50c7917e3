//! Reads accessors from raw bytes: every component type, strides, sparse values, no buffer view.
//!
//! The readers of the `gltf` crate leave out accessors without a buffer view and panic when one
//! reaches beyond its buffer, so this is done here. Nothing is allocated that the bytes at hand, the
//! vertex count or a fixed limit do not justify.

use super::document::Document;
use super::error::ImportError;
use gltf::json::Index;
use gltf::json::accessor::sparse::Sparse;
use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::buffer::View;
use gltf::json::validation::{Checked, USize64};
use std::cell::Cell;

/// Most bytes that accessors without a buffer view may fill in one file.
const MOST_ZEROED: usize = 256 << 20;
/// Most bytes that are decoded from one file.
const MOST_DECODED: usize = 4 << 30;

/// Which component types a use allows (glTF 2.0 sections 3.7.2.1 and 3.11).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// f32 only.
    Float,
    /// f32; 8 and 16-bit integers too where the file uses `KHR_mesh_quantization`.
    Attribute,
    /// f32, or normalised 8 and 16-bit integers.
    Normalised,
    /// f32, or normalised unsigned 8 and 16-bit integers.
    UnsignedNormalised,
    /// u8, u16 or u32.
    Indices,
    /// u8 or u16.
    Joints,
}

/// What an accessor is read as.
pub(super) struct Wanted<'a> {
    /// For messages, such as `POSITION of mesh 0 primitive 1`.
    pub role: &'a str,
    /// What one element is, for messages: `vertex`, `key`.
    pub element: &'a str,
    /// Numbers in one element.
    pub shape: Type,
    /// Allowed component types.
    pub numbers: Numbers,
    /// The count it must have, where that is known.
    pub count: Option<usize>,
}

/// Elements without gaps, as stored.
struct Packed {
    bytes: Vec<u8>,
    component: ComponentType,
    normalised: bool,
}

impl Document<'_> {
    /// The numbers of an accessor as f32, element after element, all finite.
    ///
    /// Normalised integers decode as glTF 2.0 section 3.6.2.2 says: c/(2ⁿ−1), or
    /// max(c/(2ⁿ⁻¹−1), −1) where signed.
    pub fn floats(&self, accessor: usize, wanted: &Wanted) -> Result<Vec<f32>, ImportError> {
        let packed = self.packed(accessor, wanted)?;
        let numbers = decode_floats(&packed);
        match numbers.iter().position(|number| !number.is_finite()) {
            Some(at) => {
                let element = at / wanted.shape.multiplicity();
                let what = format!(
                    "{} {element} holds {}, not a finite number",
                    wanted.element, numbers[at]
                );
                Err(self.accessor_error(accessor, wanted.role, &what))
            }
            None => Ok(numbers),
        }
    }

    /// The numbers of an accessor as unsigned integers, element after element.
    pub fn integers(&self, accessor: usize, wanted: &Wanted) -> Result<Vec<u32>, ImportError> {
        Ok(decode_integers(&self.packed(accessor, wanted)?))
    }

    /// Whether an accessor has neither bytes nor sparse values, and so is all zeros.
    pub fn is_all_zeros(&self, accessor: usize) -> bool {
        let accessor = self.root.accessors.get(accessor);
        accessor.is_some_and(|a| a.buffer_view.is_none() && a.sparse.is_none())
    }

    /// How many elements an accessor states, for comparison only.
    pub fn stated_count(&self, accessor: usize) -> u64 {
        self.root
            .accessors
            .get(accessor)
            .map_or(0, |accessor| accessor.count.0)
    }

    /// Checks an accessor against `wanted` and gathers its elements.
    fn packed(&self, index: usize, wanted: &Wanted) -> Result<Packed, ImportError> {
        self.try_packed(index, wanted)
            .map_err(|what| self.accessor_error(index, wanted.role, &what))
    }

    fn try_packed(&self, index: usize, wanted: &Wanted) -> Result<Packed, String> {
        let accessor = self
            .root
            .accessors
            .get(index)
            .ok_or("there is no such accessor")?;
        check_type(accessor, wanted)?;
        let count = checked_count(accessor, wanted)?;
        let component = component_type(accessor)?;
        self.check_numbers(component, accessor.normalized, wanted.numbers)?;
        let size = component.size() * wanted.shape.multiplicity();
        let mut bytes = match accessor.buffer_view {
            Some(view) => self.gather(view, accessor.byte_offset, count, size)?,
            None => self.zeros(count, size)?,
        };
        if let Some(sparse) = &accessor.sparse {
            self.overlay(sparse, &mut bytes, size)?;
        }
        Ok(Packed {
            bytes,
            component,
            normalised: accessor.normalized,
        })
    }

    /// `count` elements of `size` bytes from a buffer view, gaps left out.
    fn gather(
        &self,
        view: Index<View>,
        offset: Option<USize64>,
        count: usize,
        size: usize,
    ) -> Result<Vec<u8>, String> {
        let index = view.value();
        let view = self
            .root
            .buffer_views
            .get(index)
            .ok_or("there is no such buffer view")?;
        let stride = view.byte_stride.map_or(size, |stride| stride.0);
        if stride < size {
            return Err(format!(
                "its stride of {stride} bytes is less than its {size} bytes"
            ));
        }
        let data = self.view_bytes(index, view)?;
        let offset = to_usize(offset)?;
        let end = (count - 1)
            .checked_mul(stride)
            .and_then(|bytes| bytes.checked_add(size)?.checked_add(offset))
            .filter(|end| *end <= data.len())
            .ok_or_else(|| {
                format!(
                    "its {count} elements reach beyond buffer view {index} of {} bytes",
                    data.len()
                )
            })?;
        charge(&self.decoded, count * size, MOST_DECODED)?;
        if stride == size {
            return Ok(data[offset..end].to_vec());
        }
        let elements = data[offset..end].chunks(stride);
        Ok(elements
            .flat_map(|element| &element[..size])
            .copied()
            .collect())
    }

    /// The bytes of a buffer view.
    fn view_bytes(&self, index: usize, view: &View) -> Result<&[u8], String> {
        let buffer = view.buffer.value();
        let bytes = self
            .buffers
            .get(buffer)
            .and_then(Option::as_deref)
            .ok_or_else(|| {
                format!("buffer {buffer} of buffer view {index} has neither a URI nor a GLB chunk")
            })?;
        let start = to_usize(view.byte_offset)?;
        let length = to_usize(Some(view.byte_length))?;
        start
            .checked_add(length)
            .and_then(|end| bytes.get(start..end))
            .ok_or_else(|| {
                format!(
                    "buffer view {index} reaches beyond buffer {buffer} of {} bytes",
                    bytes.len()
                )
            })
    }

    /// `count` elements of zeros, as far as the limit allows.
    fn zeros(&self, count: usize, size: usize) -> Result<Vec<u8>, String> {
        let bytes = count.checked_mul(size).ok_or("its count is too large")?;
        charge(&self.zeroed, bytes, MOST_ZEROED)?;
        Ok(vec![0; bytes])
    }

    /// Writes the sparse values over `bytes`.
    fn overlay(&self, sparse: &Sparse, bytes: &mut [u8], size: usize) -> Result<(), String> {
        let count = to_usize(Some(sparse.count))?;
        if count == 0 || count > bytes.len() / size {
            return Err(format!(
                "it has {count} sparse values for {} elements",
                bytes.len() / size
            ));
        }
        let Checked::Valid(kind) = sparse.indices.component_type else {
            return Err("its sparse indices have an unknown component type".into());
        };
        let at = &sparse.indices;
        let indices = self.gather(at.buffer_view, Some(at.byte_offset), count, kind.0.size())?;
        let indices = Packed {
            bytes: indices,
            component: kind.0,
            normalised: false,
        };
        let from = &sparse.values;
        let values = self.gather(from.buffer_view, Some(from.byte_offset), count, size)?;
        scatter(&decode_integers(&indices), &values, bytes, size)
    }

    /// Whether a use allows a component type.
    fn check_numbers(
        &self,
        component: ComponentType,
        normalised: bool,
        numbers: Numbers,
    ) -> Result<(), String> {
        use ComponentType::{F32, I8, I16, U8, U16, U32};
        let allowed = match (numbers, component) {
            (Numbers::Indices, U8 | U16 | U32) | (Numbers::Joints, U8 | U16) => true,
            (Numbers::Indices | Numbers::Joints, _) => false,
            (_, F32) => true,
            (Numbers::Attribute, I8 | U8 | I16 | U16) => self.quantized,
            (Numbers::Normalised, I8 | U8 | I16 | U16) => normalised,
            (Numbers::UnsignedNormalised, U8 | U16) => normalised,
            _ => false,
        };
        let kind = if normalised { "normalised " } else { "" };
        allowed.then_some(()).ok_or_else(|| {
            format!("its component type, {kind}{component:?}, is not allowed for this use")
        })
    }
}

/// Adds `bytes` to a running total; an error beyond `most`.
fn charge(total: &Cell<usize>, bytes: usize, most: usize) -> Result<(), String> {
    let sum = total.get().saturating_add(bytes);
    if sum > most {
        let limit = most >> 20;
        return Err(format!(
            "with its {bytes} bytes the file holds more than {limit} MiB of such data"
        ));
    }
    total.set(sum);
    Ok(())
}

/// The shape must be the one that the use asks for.
fn check_type(accessor: &Accessor, wanted: &Wanted) -> Result<(), String> {
    match accessor.type_ {
        Checked::Valid(shape) if shape == wanted.shape => Ok(()),
        Checked::Valid(shape) => Err(format!(
            "its type is {shape:?}, but {:?} is needed",
            wanted.shape
        )),
        Checked::Invalid => Err("its type is unknown".into()),
    }
}

/// The count, at least one and equal to the one that the use asks for.
fn checked_count(accessor: &Accessor, wanted: &Wanted) -> Result<usize, String> {
    let count = to_usize(Some(accessor.count))?;
    if count == 0 {
        return Err("its count is 0".into());
    }
    match wanted.count {
        Some(needed) if needed != count => {
            Err(format!("its count is {count}, but {needed} is needed"))
        }
        _ => Ok(count),
    }
}

/// The component type, if it is a known one.
fn component_type(accessor: &Accessor) -> Result<ComponentType, String> {
    match accessor.component_type {
        Checked::Valid(kind) => Ok(kind.0),
        Checked::Invalid => Err("its component type is unknown".into()),
    }
}

/// A size from the file as a `usize`, 0 where there is none.
fn to_usize(size: Option<USize64>) -> Result<usize, String> {
    let size = size.unwrap_or_default().0;
    usize::try_from(size).map_err(|_| format!("{size} is too large for this machine"))
}

/// Writes element k of `values` to element `indices[k]` of `bytes`.
fn scatter(indices: &[u32], values: &[u8], bytes: &mut [u8], size: usize) -> Result<(), String> {
    if let Some(pair) = indices.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(format!(
            "its sparse index {} does not increase upon {}",
            pair[1], pair[0]
        ));
    }
    for (index, value) in indices.iter().zip(values.chunks_exact(size)) {
        let start = *index as usize * size;
        let element = bytes
            .get_mut(start..start + size)
            .ok_or_else(|| format!("its sparse index {index} is beyond its count"))?;
        element.copy_from_slice(value);
    }
    Ok(())
}

/// Packed elements as f32.
fn decode_floats(packed: &Packed) -> Vec<f32> {
    let unit = |whole: f32, most: f32| {
        if packed.normalised {
            (whole / most).max(-1.0)
        } else {
            whole
        }
    };
    let bytes = &packed.bytes;
    match packed.component {
        ComponentType::I8 => bytes
            .iter()
            .map(|b| unit(f32::from(b.cast_signed()), 127.0))
            .collect(),
        ComponentType::U8 => bytes.iter().map(|b| unit(f32::from(*b), 255.0)).collect(),
        ComponentType::I16 => words(bytes)
            .map(|w| unit(f32::from(i16::from_le_bytes(w)), 32767.0))
            .collect(),
        ComponentType::U16 => words(bytes)
            .map(|w| unit(f32::from(u16::from_le_bytes(w)), 65535.0))
            .collect(),
        // No use allows u32 here; its nearest f32 is as good an answer as any.
        ComponentType::U32 => words(bytes).map(|w| u32::from_le_bytes(w) as f32).collect(),
        ComponentType::F32 => words(bytes).map(f32::from_le_bytes).collect(),
    }
}

/// Packed unsigned elements as u32.
fn decode_integers(packed: &Packed) -> Vec<u32> {
    let bytes = &packed.bytes;
    match packed.component.size() {
        1 => bytes.iter().map(|byte| u32::from(*byte)).collect(),
        2 => words(bytes)
            .map(|word| u32::from(u16::from_le_bytes(word)))
            .collect(),
        _ => words(bytes).map(u32::from_le_bytes).collect(),
    }
}

/// The words of N bytes in `bytes`.
fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}
