// C = alpha · A · B (+ C); each thread keeps a 16 × 8 block of C in registers, a workgroup a tile of 16·THREADS_M × 8·THREADS_N.
// Tiles of A and B pass through workgroup memory, A transposed, so that a thread reads both in vectors of four.
// Cost: 6 vector reads of workgroup memory for 128 multiply-adds, so arithmetic decides; 128 registers for sums alone.
override ACCUMULATE: bool = false;
override EDGES: bool = true; // false where whole tiles make up every matrix: then no load or store is tested
override THREADS_M: u32 = 8;
override THREADS_N: u32 = 16;
override TILE_K: u32 = 16; // a multiple of THREADS_M and of THREADS_N: all threads load equally much

const DOWN = 4u; // blocks of 4 × 4 that a thread keeps, one below the other
const ACROSS = 2u; // and side by side
override THREADS: u32 = THREADS_M * THREADS_N;
override ROWS_4: u32 = DOWN * THREADS_M; // rows of the tile, in fours
override COLUMNS_4: u32 = ACROSS * THREADS_N;

alias Blocks = array<mat4x4f, DOWN * ACROSS>;

@group(0) @binding(0) var<uniform> params: MatmulParams;
// Two views of the same buffers: in fours for rows whose length is a multiple of four (main), else one by one (main_any).
@group(0) @binding(1) var<storage, read> a_4: array<vec4f>;
@group(0) @binding(2) var<storage, read> b_4: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> c_4: array<vec4f>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

// Four values of one column of A, of one row of B. Threads write whole vectors: writing one component may touch all four.
var<workgroup> sh_a: array<vec4f, TILE_K * ROWS_4>;
var<workgroup> sh_b: array<vec4f, TILE_K * COLUMNS_4>;

fn load_a_4(row: u32, k: u32) -> vec4f {
  if (EDGES && (row >= params.m || k >= params.k)) {
    return vec4f();
  }
  return a_4[(row * params.k + k) / 4u];
}

fn load_b_4(k: u32, column: u32) -> vec4f {
  if (EDGES && (k >= params.k || column >= params.n)) {
    return vec4f();
  }
  return b_4[(k * params.n + column) / 4u];
}

fn load_a_any(row: u32, k: u32) -> vec4f {
  var four = vec4f();
  for (var i = 0u; i < 4u; i += 1u) {
    if (row < params.m && k + i < params.k) {
      four[i] = a[row * params.k + k + i];
    }
  }
  return four;
}

fn load_b_any(k: u32, column: u32) -> vec4f {
  var four = vec4f();
  for (var i = 0u; i < 4u; i += 1u) {
    if (k < params.k && column + i < params.n) {
      four[i] = b[k * params.n + column + i];
    }
  }
  return four;
}

fn store_4(row: u32, column: u32, four: vec4f) {
  if (EDGES && (row >= params.m || column >= params.n)) {
    return;
  }
  let at = (row * params.n + column) / 4u;
  var result = params.alpha * four;
  if (ACCUMULATE) {
    result += c_4[at];
  }
  c_4[at] = result;
}

fn store_any(row: u32, column: u32, four: vec4f) {
  for (var i = 0u; i < 4u; i += 1u) {
    if (row < params.m && column + i < params.n) {
      let at = row * params.n + column + i;
      var result = params.alpha * four[i];
      if (ACCUMULATE) {
        result += c[at];
      }
      c[at] = result;
    }
  }
}

// Four rows of A, four values each, as they lie in memory -> four columns, as the threads will read them.
fn share_a(slot: u32, rows: mat4x4f) {
  let columns = transpose(rows);
  let k = slot / ROWS_4 * 4u;
  for (var i = 0u; i < 4u; i += 1u) {
    sh_a[(k + i) * ROWS_4 + slot % ROWS_4] = columns[i];
  }
}

fn share_b(slot: u32, four: vec4f) {
  sh_b[slot] = four;
}

fn load_tiles(corner: vec2u, start: u32, thread: u32) {
  for (var i = 0u; i < TILE_K / THREADS_N; i += 1u) {
    let slot = thread + i * THREADS;
    let row = corner.y + slot % ROWS_4 * 4u;
    let k = start + slot / ROWS_4 * 4u;
    share_a(slot, mat4x4f(load_a_4(row, k), load_a_4(row + 1u, k), load_a_4(row + 2u, k), load_a_4(row + 3u, k)));
  }
  for (var i = 0u; i < ACROSS * TILE_K / THREADS_M; i += 1u) {
    let slot = thread + i * THREADS;
    share_b(slot, load_b_4(start + slot / COLUMNS_4, corner.x + slot % COLUMNS_4 * 4u));
  }
}

fn load_tiles_any(corner: vec2u, start: u32, thread: u32) {
  for (var i = 0u; i < TILE_K / THREADS_N; i += 1u) {
    let slot = thread + i * THREADS;
    let row = corner.y + slot % ROWS_4 * 4u;
    let k = start + slot / ROWS_4 * 4u;
    share_a(slot, mat4x4f(load_a_any(row, k), load_a_any(row + 1u, k), load_a_any(row + 2u, k), load_a_any(row + 3u, k)));
  }
  for (var i = 0u; i < ACROSS * TILE_K / THREADS_M; i += 1u) {
    let slot = thread + i * THREADS;
    share_b(slot, load_b_any(start + slot / COLUMNS_4, corner.x + slot % COLUMNS_4 * 4u));
  }
}

// All products of four rows with four columns.
fn outer(down: vec4f, across: vec4f) -> mat4x4f {
  return mat4x4f(down.x * across, down.y * across, down.z * across, down.w * across);
}

fn multiply_tiles(sums: ptr<function, Blocks>, local: vec2u) {
  for (var k = 0u; k < TILE_K; k += 1u) {
    // A thread's blocks lie THREADS apart: neighbouring threads then read neighbouring vectors.
    let right_0 = sh_b[k * COLUMNS_4 + local.x];
    let right_1 = sh_b[k * COLUMNS_4 + local.x + THREADS_N];
    for (var i = 0u; i < DOWN; i += 1u) {
      let left = sh_a[k * ROWS_4 + local.y + i * THREADS_M];
      (*sums)[i * ACROSS] += outer(left, right_0);
      (*sums)[i * ACROSS + 1u] += outer(left, right_1);
    }
  }
}

@compute @workgroup_size(THREADS_N, THREADS_M)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let corner = workgroup.xy * vec2u(COLUMNS_4, ROWS_4) * 4u;
  var sums: Blocks;
  for (var start = 0u; start < params.k; start += TILE_K) {
    load_tiles(corner, start, thread);
    workgroupBarrier();
    multiply_tiles(&sums, local.xy);
    workgroupBarrier();
  }
  for (var i = 0u; i < DOWN * ACROSS; i += 1u) {
    let row = corner.y + (local.y + i / ACROSS * THREADS_M) * 4u;
    let column = corner.x + (local.x + i % ACROSS * THREADS_N) * 4u;
    for (var r = 0u; r < 4u; r += 1u) {
      store_4(row + r, column, sums[i][r]);
    }
  }
}

@compute @workgroup_size(THREADS_N, THREADS_M)
fn main_any(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let corner = workgroup.xy * vec2u(COLUMNS_4, ROWS_4) * 4u;
  var sums: Blocks;
  for (var start = 0u; start < params.k; start += TILE_K) {
    load_tiles_any(corner, start, thread);
    workgroupBarrier();
    multiply_tiles(&sums, local.xy);
    workgroupBarrier();
  }
  for (var i = 0u; i < DOWN * ACROSS; i += 1u) {
    let row = corner.y + (local.y + i / ACROSS * THREADS_M) * 4u;
    let column = corner.x + (local.x + i % ACROSS * THREADS_N) * 4u;
    for (var r = 0u; r < 4u; r += 1u) {
      store_any(row + r, column, sums[i][r]);
    }
  }
}
