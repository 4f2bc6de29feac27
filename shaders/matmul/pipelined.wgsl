// C = alpha · A · B (+ C); the next tiles travel from memory into registers while the threads multiply the ones before.
// A workgroup makes SIDE × SIDE entries, each of its SIDE threads a block of SIDE / 8 × 8; the loop over a tile is written out.
// Cost: a 4 × 4 block of A and one of B in registers for each thread, and code for 16 steps; memory is no longer waited for.
//
// SIDE is const, in a line before this file, not override: only arrays of const size nest, and only indices that are
// const, or bounded by their own dimension, are read without a clamp. One clamp for each read of workgroup memory costs a tenth.

// Steps along k in one tile: multiply_tiles has as many lines.
const TILE_K = 16u;
const THREADS_M = 8u; // rows of threads
const THREADS_N = SIDE / 8; // columns of threads
const BLOCKS_M = SIDE / 32; // a thread's blocks of 4 × 4, down; there are always 2 across
const SIDE_4 = SIDE / 4;
const LAST_BLOCK = 2 * BLOCKS_M - 1;

// Fours of a column of A, and of a row of B: where a thread's block lies, and which thread of its row or column it is for.
var<workgroup> sh_a: array<array<array<vec4f, THREADS_M>, BLOCKS_M>, TILE_K>;
var<workgroup> sh_b: array<array<array<vec4f, THREADS_N>, 2>, TILE_K>;

alias Sums = array<mat4x4f, LAST_BLOCK + 1>;

// Adds all products of four rows with four columns.
fn add_outer(sum: mat4x4f, down: vec4f, across: vec4f) -> mat4x4f {
  return mat4x4f(
    fma(vec4f(down.x), across, sum[0]),
    fma(vec4f(down.y), across, sum[1]),
    fma(vec4f(down.z), across, sum[2]),
    fma(vec4f(down.w), across, sum[3]),
  );
}

fn multiply_step(sums: ptr<function, Sums>, k: u32, place: vec2u) {
  let left = sh_b[k][0][place.x];
  let right = sh_b[k][1][place.x];
  for (var block = 0u; block < BLOCKS_M; block += 1u) {
    let down = sh_a[k][block][place.y];
    (*sums)[2 * block] = add_outer((*sums)[2 * block], down, left);
    (*sums)[2 * block + 1] = add_outer((*sums)[2 * block + 1], down, right);
  }
}

// A loop would be shorter, and a sixth slower: compilers do not unroll it, and then cannot move reads ahead of the arithmetic.
fn multiply_tiles(sums: ptr<function, Sums>, place: vec2u) {
  multiply_step(sums, 0, place);
  multiply_step(sums, 1, place);
  multiply_step(sums, 2, place);
  multiply_step(sums, 3, place);
  multiply_step(sums, 4, place);
  multiply_step(sums, 5, place);
  multiply_step(sums, 6, place);
  multiply_step(sums, 7, place);
  multiply_step(sums, 8, place);
  multiply_step(sums, 9, place);
  multiply_step(sums, 10, place);
  multiply_step(sums, 11, place);
  multiply_step(sums, 12, place);
  multiply_step(sums, 13, place);
  multiply_step(sums, 14, place);
  multiply_step(sums, 15, place);
}

// Four rows of A as its columns, ready for sh_a.
fn fetch_a(row: u32, k: u32) -> mat4x4f {
  return transpose(mat4x4f(load_a(row, k), load_a(row + 1, k), load_a(row + 2, k), load_a(row + 3, k)));
}

// Every fourth row of B.
fn fetch_b(k: u32, column: u32) -> mat4x4f {
  return mat4x4f(load_b(k, column), load_b(k + 4, column), load_b(k + 8, column), load_b(k + 12, column));
}

// A thread's place in its slice: a warp of 32 lies 8 rows high and 4 columns wide, in Z-order, so that lanes next to each other
// share what they read and one read of workgroup memory serves them together.
fn place_of(thread: u32) -> vec2u {
  let lane = thread % 32;
  let across = (lane & 1) | ((lane >> 1) & 2);
  let down = ((lane >> 1) & 1) | ((lane >> 2) & 6);
  return vec2u(thread / 32 * 4 + across, down);
}

@compute @workgroup_size(SIDE)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) thread: u32) {
  let corner = SIDE * workgroup.xy;
  let place = place_of(thread);

  // What this thread fetches: 8 lanes go down rows of A and 4 along k, 64 bytes of each row; B comes row by row.
  let a_block = thread / 32;
  let a_lane = thread % THREADS_M;
  let a_k = thread / 8 % 4 * 4;
  let a_row = corner.y + 4 * (a_block * THREADS_M + a_lane);
  let b_four = thread % SIDE_4;
  let b_k = thread / SIDE_4;
  let b_column = corner.x + 4 * b_four;

  var next_a = fetch_a(a_row, a_k);
  var next_b = fetch_b(b_k, b_column);
  var sums: Sums;
  for (var start = 0u; start < params.k; start += TILE_K) {
    for (var i = 0u; i < 4; i += 1u) {
      sh_a[a_k + i][a_block][a_lane] = next_a[i];
      sh_b[b_k + 4 * i][b_four / THREADS_N][b_four % THREADS_N] = next_b[i];
    }
    workgroupBarrier(); // the tiles are complete
    // On their way while the others are multiplied. After the last there is none: the first are fetched again, for nothing.
    let ahead = start + TILE_K;
    let next = select(ahead, 0, ahead >= params.k);
    next_a = fetch_a(a_row, next + a_k);
    next_b = fetch_b(next + b_k, b_column);
    multiply_tiles(&sums, place);
    workgroupBarrier(); // everyone has read them: the next may overwrite them
  }

  let left = corner + 4 * place;
  for (var block = 0u; block < BLOCKS_M; block += 1u) {
    for (var i = 0u; i < 4; i += 1u) {
      let row = left.y + block * 4 * THREADS_M + i;
      store_c(row, left.x, sums[2 * block][i]);
      store_c(row, left.x + 4 * THREADS_N, sums[2 * block + 1][i]);
    }
  }
}
