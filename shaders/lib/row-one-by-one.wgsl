// A row of A one by one: k is no multiple of 4.
const A_UNIT = 1u; // what `at` counts in
@group(0) @binding(1) var<storage, read> a: array<f32>;

fn load_a(at: u32) -> vec4f {
  return vec4f(a[at], a[at + 1], a[at + 2], a[at + 3]);
}

// One value; `at` counts values here.
fn load_one_a(at: u32) -> f32 {
  return a[at];
}
