/**
 * Who records what, to see where the cost lies. 'stamps alone', 'questions alone' and 'both alone': no session; the program itself makes
 * the WebGPU calls that a recorder needs (two timestamps a pass, onSubmittedWorkDone() after each submit()), which no recorder can cost
 * less than. 'paused': patched, recording nothing. 'no stamps': recorded without timestamps. 'page' and 'page, no stamps': by recorder.js.
 */
export const ARMS = [
  'bare',
  'stamps alone',
  'questions alone',
  'both alone',
  'paused',
  'no stamps',
  'recorded',
  'page, no stamps',
  'page',
] as const
export type Arm = (typeof ARMS)[number]

/**
 * Frames of a page. 'question alone': no recorder; the page itself calls onSubmittedWorkDone() once a frame, which no recorder can cost less
 * than. 'recorded': by recorder.js without timestamps, its own host time. 'with timestamps': what they cost beside.
 */
export const FRAME_ARMS = ['bare', 'question alone', 'recorded', 'with timestamps'] as const
export type FrameArm = (typeof FRAME_ARMS)[number]
/** Draws alone, or a writeBuffer() of 64 bytes for each. */
export const FRAME_LOADS = ['draws', 'writes'] as const
export type FrameLoad = (typeof FRAME_LOADS)[number]
export const DRAWS = 300
export const WARM_UP_FRAMES = 60
export const TRIAL_FRAMES = 120
