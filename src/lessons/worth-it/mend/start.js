// Where should two n × n matrices be multiplied, once? They are in the host's memory, and the product is needed there.
// Returns 'cpu' or 'gpu'. `machine` is what the lab measured here a moment ago, at other sizes than it asks about:
//   cpuGflops     what the CPU computes, in 1e9 operations a second; a product has 2 n³ of them
//   gpuGflops     the same for the GPU, with matrices that are there already
//   uploadGBps    bytes to the GPU, in 1e9 a second; a matrix has 4 n² of them
//   downloadGBps  bytes back from it
//   roundTripMs   a whole round trip besides its bytes and operations
export default function where(n, machine) {
  return n > 64 ? 'gpu' : 'cpu' // a GPU is for large matrices
}
