/** The smallest dispatch there is: what the host sees of it is the way there and back. */
import text from '../../../../shaders/calibrate/tick.wgsl?raw'
import { kernelOf, packUniforms } from '../kernel'

/** The output needs 4 bytes. `mark`: the u32 that is written; 1 if not given. */
export const tickKernel = kernelOf<{ readonly mark?: number }>('calibrate/tick', text, {
  uniforms: ({ mark = 1 }) => packUniforms(['u32', mark]),
  workgroups: () => [1, 1, 1],
})
