import type { Lane } from "./installation";

/** Does each piece of work in some lane, as many at once as there are lanes, one after the other in each. */
export async function inLanes<Task>(
  lanes: readonly Lane[],
  tasks: readonly Task[],
  work: (task: Task, lane: Lane) => Promise<void>,
): Promise<void> {
  const left = [...tasks];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let task = left.shift(); task !== undefined; task = left.shift()) await work(task, lane);
    }),
  );
}
