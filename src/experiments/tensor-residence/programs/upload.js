// The numbers are made on the host, and all of them go to the device, as in `torch.randn(n).to("cuda")`.
export default async function ({ device, lab, input }) {
  const { tensor, uses, seeds, host, ready } = input

  for (const step of lab.steps(uses.length)) {
    const numbers = ready
      ? ready[step]
      : await lab.compute('randn(n)', 0, async () => fill(host, seeds[step]))
    device.queue.writeBuffer(tensor, 0, numbers) // .to("cuda")

    const encoder = device.createCommandEncoder({ label: `tensor ${step}` })
    uses[step].encode(encoder) // a kernel that reads it
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}

function fill(numbers, seed) {
  const start = hash(seed)
  for (let i = 0; i < numbers.length; i += 1) numbers[i] = hash(i + start)
  return numbers
}

// PCG's output permutation RXS-M-XS, on unsigned 32-bit integers: the same bits as on the device.
function hash(input) {
  const state = (Math.imul(input, 747796405) + 2891336453) >>> 0
  const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737)
  return ((word >>> 22) ^ word) >>> 0
}
