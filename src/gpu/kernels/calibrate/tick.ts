/** The smallest dispatch there is: what the host sees of it is the way there and back. */
import text from '../../../../shaders/calibrate/tick.wgsl?raw'
import { USAGE, type Dispatch, type RunContext } from '../..'
import { kernelCall, kernelOf, packUniforms } from '../kernel'

/** The output needs 4 bytes. `mark`: the u32 that is written; 1 if not given. @internal */
export const tickKernel = kernelOf<{ readonly mark?: number }>('calibrate/tick', text, {
  uniforms: ({ mark = 1 }) => packUniforms(['u32', mark]),
  workgroups: () => [1, 1, 1],
})

/** One that writes a buffer of its own. */
export async function createTick(context: Pick<RunContext, 'buffer' | 'dispatch'>): Promise<Dispatch> {
  const target = await context.buffer('tick', 16, USAGE.storage)
  return await context.dispatch(kernelCall(tickKernel, {}), [target])
}
