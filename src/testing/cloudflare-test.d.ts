/** The part of the Workers test pool's module that `stepwell/testing/workerd` uses; the pool itself is the author's. */
declare module "cloudflare:test" {
  export function runInDurableObject<R>(
    stub: DurableObjectStub,
    callback: (instance: object, state: DurableObjectState) => R | Promise<R>,
  ): Promise<R>;
  export function runDurableObjectAlarm(stub: DurableObjectStub): Promise<boolean>;
  export function evictDurableObject(stub: DurableObjectStub): Promise<void>;
  export function listDurableObjectIds(namespace: DurableObjectNamespace): Promise<DurableObjectId[]>;
}
