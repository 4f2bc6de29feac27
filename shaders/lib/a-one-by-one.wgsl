// A one by one: k is no multiple of 4, so rows begin anywhere. Neighbouring lanes read neighbouring values.
const A_UNIT = 1u; // what `at` counts in, and how far along k the blocks of neighbouring lanes lie apart
const A_APART = TILE_K / 4; // how far along k the columns of a block lie apart
@group(0) @binding(1) var<storage, read> a: array<f32>;

fn fetch_column(at: u32) -> vec4f {
  let row = size_k();
  return vec4f(a[at], a[at + row], a[at + 2 * row], a[at + 3 * row]);
}

// A block of A, four rows by four steps of k, as its columns. Beyond the last row WebGPU reads something else: it only reaches sums that
// nobody stores.
fn fetch_a(at: u32) -> mat4x4f {
  return mat4x4f(fetch_column(at), fetch_column(at + A_APART), fetch_column(at + 2 * A_APART), fetch_column(at + 3 * A_APART));
}
