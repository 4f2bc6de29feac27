// jax-js: the same network, compiled as one function.
import { blockUntilReady, defaultDevice, init, jit, nn, numpy } from '@jax-js/jax'
import { BATCH, batchOf, BATCHES, checkAnswers, weights, WIDTHS } from './network.js'

if (!(await init('webgpu')).includes('webgpu')) throw new Error('jax-js has no backend webgpu here')
defaultDevice('webgpu')
const layers = weights.map(({ rows, columns, values }) => numpy.array(values, { shape: [rows, columns] }))
await blockUntilReady(layers)
const forward = jit((input, first, second, third) =>
  numpy.matmul(nn.relu(numpy.matmul(nn.relu(numpy.matmul(input, first)), second)), third),
)

let answers
for (let batch = 0; batch < BATCHES; batch += 1) {
  const input = numpy.array(batchOf(batch), { shape: [BATCH, WIDTHS[0]] })
  answers = await forward(input, ...layers.map((layer) => layer.ref)).data()
}
checkAnswers(answers)
