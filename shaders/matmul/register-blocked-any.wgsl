// The same for n or k that are no multiples of 4: rows then begin anywhere, so loads and stores go one by one, each tested.
// Joined behind register-blocked.wgsl, whose tiles and arithmetic it shares; the buffers are the same, seen as single floats.
// Cost: four times as many loads and stores; the arithmetic between them is untouched.
@group(0) @binding(1) var<storage, read> a_any: array<f32>;
@group(0) @binding(2) var<storage, read> b_any: array<f32>;
@group(0) @binding(3) var<storage, read_write> c_any: array<f32>;

fn load_a_any(row: u32, k: u32) -> f32 {
  if (row >= params.m || k >= params.k) {
    return 0.0;
  }
  return a_any[row * params.k + k];
}

fn load_b_any(k: u32, column: u32) -> f32 {
  if (k >= params.k || column >= params.n) {
    return 0.0;
  }
  return b_any[k * params.n + column];
}

fn load_a_down(row: u32, k: u32) -> vec4f {
  return vec4f(load_a_any(row, k), load_a_any(row + 1, k), load_a_any(row + 2, k), load_a_any(row + 3, k));
}

fn load_b_across(k: u32, column: u32) -> vec4f {
  return vec4f(load_b_any(k, column), load_b_any(k, column + 1), load_b_any(k, column + 2), load_b_any(k, column + 3));
}

fn load_tiles_any(corner: vec2u, start: u32, thread: u32) {
  for (var i = 0u; i < TILE_K / THREADS_N; i += 1u) {
    let slot = thread + i * THREADS;
    let row = corner.y + slot % ROWS_4 * 4;
    let k = start + slot / ROWS_4 * 4;
    share_a(slot, mat4x4f(load_a_down(row, k), load_a_down(row, k + 1), load_a_down(row, k + 2), load_a_down(row, k + 3)));
  }
  for (var i = 0u; i < 2 * TILE_K / THREADS_M; i += 1u) {
    let slot = thread + i * THREADS;
    sh_b[slot] = load_b_across(start + slot / COLUMNS_4, corner.x + slot % COLUMNS_4 * 4);
  }
}

fn store_any(row: u32, column: u32, value: f32) {
  if (row >= params.m || column >= params.n) {
    return;
  }
  let at = row * params.n + column;
  var result = params.alpha * value;
  if (ACCUMULATE) {
    result += c_any[at];
  }
  c_any[at] = result;
}

fn store_row_any(row: u32, column: u32, four: vec4f) {
  store_any(row, column, four.x);
  store_any(row, column + 1, four.y);
  store_any(row, column + 2, four.z);
  store_any(row, column + 3, four.w);
}

fn store_block_any(row: u32, column: u32, block: mat4x4f) {
  store_row_any(row, column, block[0]);
  store_row_any(row + 1, column, block[1]);
  store_row_any(row + 2, column, block[2]);
  store_row_any(row + 3, column, block[3]);
}

@compute @workgroup_size(THREADS_N, THREADS_M)
fn main_any(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let corner = 4 * workgroup.xy * vec2u(COLUMNS_4, ROWS_4);
  var sums: Sums;
  for (var start = 0u; start < params.k; start += TILE_K) {
    load_tiles_any(corner, start, thread);
    workgroupBarrier();
    multiply_tiles(&sums, local.xy);
    workgroupBarrier();
  }
  let left = corner + 4 * local.xy;
  let right = left + vec2u(4 * THREADS_N, 0);
  store_block_any(left.y, left.x, sums[0]);
  store_block_any(right.y, right.x, sums[1]);
  store_block_any(left.y + 4 * THREADS_M, left.x, sums[2]);
  store_block_any(right.y + 4 * THREADS_M, right.x, sums[3]);
  store_block_any(left.y + 8 * THREADS_M, left.x, sums[4]);
  store_block_any(right.y + 8 * THREADS_M, right.x, sums[5]);
  store_block_any(left.y + 12 * THREADS_M, left.x, sums[6]);
  store_block_any(right.y + 12 * THREADS_M, right.x, sums[7]);
}
