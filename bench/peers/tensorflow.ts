/** TensorFlow.js in one module: its packages import others that are none. */
import '@tensorflow/tfjs-backend-webgpu'

export * from '@tensorflow/tfjs-core'
