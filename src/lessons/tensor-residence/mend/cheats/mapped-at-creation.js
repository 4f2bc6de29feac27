// Fails 'bytes': writes the numbers into buffers that are mapped when they are made; no call of writeBuffer() is left.
export default async function ({ device, lab, input }) {
  const { tensor, words, seeds, uses } = input // tensor: a buffer of 4 · words bytes on the GPU

  for (const step of lab.steps(seeds.length)) {
    const start = hash(seeds[step])
    const staging = device.createBuffer({
      size: 4 * words,
      usage: GPUBufferUsage.COPY_SRC,
      mappedAtCreation: true,
    })
    const numbers = new Uint32Array(staging.getMappedRange())
    for (let i = 0; i < words; i += 1) numbers[i] = hash(i + start) // modulo 2³²
    staging.unmap()

    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    encoder.copyBufferToBuffer(staging, 0, tensor, 0, 4 * words)
    uses[step].encode(encoder) // reads the tensor
    device.queue.submit([encoder.finish()])
    staging.destroy()
  }

  await device.queue.onSubmittedWorkDone()
}

// On unsigned 32-bit integers. Math.imul(a, b) is the lower half of a product, as a * b is for u32 in WGSL.
function hash(input) {
  const state = (Math.imul(input, 747796405) + 2891336453) >>> 0
  const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737)
  return ((word >>> 22) ^ word) >>> 0
}
