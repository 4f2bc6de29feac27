// A hash of 32 bits to 32 bits: one step of the PCG generator and its output permutation (RXS-M-XS, O'Neill 2014).
// src/gpu/kernels/pcg.ts computes the same on the host, bit for bit.
fn pcg(input: u32) -> u32 {
  let state = input * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

// Word `index` of the stream `seed`. The seed is hashed too: streams 1 and 2 must not be one stream, shifted by one.
fn random_word(index: u32, seed: u32) -> u32 {
  return pcg(index + pcg(seed));
}
