import type { AdapterChoice } from './adapters.mjs'
import { CommandError, say } from './terminal.mjs'

/**
 * Opens something on the adapter asked for; 'auto' takes a GPU, else software, and says which.
 *
 * @param whyNoGpu what was opened is on no GPU, in a sentence; null: it is on one
 * @throws CommandError where a GPU is asked for and there is none
 */
export async function onAdapter<Opened>(
  choice: AdapterChoice,
  open: (adapter: 'gpu' | 'software') => Promise<Opened>,
  whyNoGpu: (opened: Opened) => Promise<string | null> | string | null,
  close?: (opened: Opened) => Promise<void>,
): Promise<Opened> {
  if (choice === 'software') return await open('software')
  const opened = await open('gpu')
  const why = await whyNoGpu(opened)
  if (why === null) return opened
  await close?.(opened)
  if (choice === 'gpu') throw new CommandError(`No GPU. ${why} --adapter auto runs on software instead.`)
  say(`No GPU. ${why} Running on software instead: SwiftShader, on the CPU.`)
  return await open('software')
}
