/** What short runs measure of a machine, for a card of it (src/model). Plain data: experiments read it off their metrics, a card is fitted to it. */

/** What the host waits, reading after each step, and how long the step's kernel is. */
export interface Wait {
  readonly kernelMs: number
  readonly waitMs: number
}

/** Of one small kernel, handed over in each way: encoding it and submit() on the host, and what it adds to the step, µs. */
export interface LaunchCost {
  readonly hostUs: number
  readonly stepUs: number
}

export interface LaunchCosts {
  readonly onePass: LaunchCost
  readonly passes: LaunchCost
  readonly commandBuffers: LaunchCost
  readonly submits: LaunchCost
}
