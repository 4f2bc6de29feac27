// It compares the time that the GPU saves by computing faster with the time of the trip.
export default function where(n, machine) {
  const operations = 2 * n ** 3
  const bytes = 4 * n ** 2 // of one matrix

  const savedMs = operations / (machine.cpuGflops * 1e6) - operations / (machine.gpuGflops * 1e6)
  const tripMs =
    machine.roundTripMs +
    (2 * bytes) / (machine.uploadGBps * 1e6) + // A and B
    bytes / (machine.downloadGBps * 1e6) // C

  return savedMs > tripMs ? 'gpu' : 'cpu'
}
