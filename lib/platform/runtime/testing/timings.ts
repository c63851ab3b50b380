import * as real from "../timings";

/**
 * In place of the real timings. Pauses last a twentieth: tests are about the order of events. Limits last half as
 * long, because what has to end within them does the same work as ever, on a busy machine.
 */
const pause = (ms: number) => ms / 20;
const limit = (ms: number) => ms / 2;

const {
  requestTimings: request,
  callTimings: call,
  tokenTimings: token,
  saveTimings: save,
  followTimings: follow,
} = real;

export const callTimings: typeof call = {
  connectMs: limit(call.connectMs),
  totalMs: limit(call.totalMs),
  exchangeMs: limit(call.exchangeMs),
  minWriteMs: limit(call.minWriteMs),
  retryPauseMs: pause(call.retryPauseMs),
};

export const requestTimings: typeof request = { checksMs: limit(request.checksMs) };

export const tokenTimings: typeof token = { lockMs: limit(token.lockMs) };

export const saveTimings: typeof save = {
  answerMs: limit(save.answerMs),
  saveMs: limit(save.saveMs),
  waitForOtherSaveMs: limit(save.waitForOtherSaveMs),
  lockMs: limit(save.lockMs),
  renewLockForMs: limit(save.renewLockForMs),
  firstFetchMs: limit(save.firstFetchMs),
  readBackMs: limit(save.readBackMs),
  minWriteMs: limit(save.minWriteMs),
  minFetchMs: limit(save.minFetchMs),
  fetchAgainAfterMs: save.fetchAgainAfterMs.map(pause),
  waitForOperationMs: limit(save.waitForOperationMs),
};

export const followTimings: typeof follow = {
  roundMs: pause(follow.roundMs),
  leaseMs: pause(follow.leaseMs),
};
