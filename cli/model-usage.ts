/** What `npm run lab -- model` takes; the usage of all commands quotes it. */
export const MODEL_USAGE = `  npm run lab -- model <experiment> [--card NAME|FILE] [--set name=value]... [--program FILE] [--json]
      What a model of a machine says of an experiment: the lab's own programs on a virtual clock. No browser is needed, and nothing is
      measured: each figure says 'modelled'. --card: h200 (left out), cuda, software (SwiftShader), firefox (on llvmpipe), or a file of
      constants as src/model/card.ts has them ('Your device' on the page measures this machine's, and saves it). --program: a program of
      your own in place of each variant's.`
