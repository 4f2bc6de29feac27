// TensorFlow.js: a small network, answered batch by batch.
import * as tf from '@tensorflow/tfjs-core'
import { BATCH, batchOf, BATCHES, checkAnswers, weights, WIDTHS } from './network.js'

tf.enableProdMode()
if (!(await tf.setBackend('webgpu'))) throw new Error('TensorFlow.js has no backend webgpu here')
await tf.ready()
const layers = weights.map(({ rows, columns, values }) => tf.tensor2d(values, [rows, columns]))

let answers
for (let batch = 0; batch < BATCHES; batch += 1) {
  const output = tf.tidy(() =>
    layers.reduce(
      (input, layer, at) => {
        const product = tf.matMul(input, layer)
        return at < layers.length - 1 ? tf.relu(product) : product
      },
      tf.tensor2d(batchOf(batch), [BATCH, WIDTHS[0]]),
    ),
  )
  answers = await output.data()
  output.dispose()
}
checkAnswers(answers)
