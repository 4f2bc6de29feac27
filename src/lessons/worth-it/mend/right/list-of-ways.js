// It lists the time of each way, and returns the name of the shortest.
export default function where(n, { cpuGflops, gpuGflops, uploadGBps, downloadGBps, roundTripMs }) {
  const computeMs = (gflops) => (2 * n ** 3) / (gflops * 1e6)
  const carryMs = (matrices, rate) => (matrices * 4 * n ** 2) / (rate * 1e6)

  const ways = [
    { name: 'cpu', ms: computeMs(cpuGflops) },
    {
      name: 'gpu',
      ms: roundTripMs + carryMs(2, uploadGBps) + computeMs(gpuGflops) + carryMs(1, downloadGBps),
    },
  ]
  return ways.sort((one, other) => one.ms - other.ms)[0].name
}
