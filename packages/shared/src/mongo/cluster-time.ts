import mongoose, { type mongo } from 'mongoose';

/** A replica set's logical time, with seconds in its upper 32 bits. It never goes back, even if a machine's clock does. */
export type ClusterTime = bigint;
/** A cluster time as MongoDB stores it. */
export type Timestamp = mongo.Timestamp;

const { Timestamp } = mongoose.mongo;

/** Returns a placeholder for an inserted document, which the server replaces with the cluster time. */
export const setByServer = (): Timestamp => new Timestamp(0n);
export const isTimestamp = (value: unknown): value is Timestamp => value instanceof Timestamp;
export const toClusterTime = (timestamp: Timestamp): ClusterTime => timestamp.toBigInt();
export const toTimestamp = (time: ClusterTime): Timestamp => new Timestamp(time);
export const clusterSeconds = (seconds: number): ClusterTime => BigInt(seconds) << 32n;
