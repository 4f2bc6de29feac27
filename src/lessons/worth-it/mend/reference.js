// The GPU is worth it where it saves more time by computing than the trip there and back takes.
export default function where(n, machine) {
  const operations = 2 * n ** 3
  const bytes = 4 * n ** 2 // of one matrix

  const cpuMs = operations / (machine.cpuGflops * 1e6)
  const gpuMs =
    machine.roundTripMs +
    (2 * bytes) / (machine.uploadGBps * 1e6) + // A and B
    operations / (machine.gpuGflops * 1e6) +
    bytes / (machine.downloadGBps * 1e6) // C

  return gpuMs < cpuMs ? 'gpu' : 'cpu'
}
