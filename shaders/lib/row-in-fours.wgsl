// A row of A in vectors of four: k is a multiple of 4.
const A_UNIT = 4u; // what `at` counts in
@group(0) @binding(1) var<storage, read> a: array<vec4f>;

fn load_a(at: u32) -> vec4f {
  return a[at];
}

// One value; `at` counts values here.
fn load_one_a(at: u32) -> f32 {
  return a[at / 4][at % 4];
}
