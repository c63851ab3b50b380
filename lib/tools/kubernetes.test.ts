import { root } from "@/lib/cli/root";
import { unknownVariables } from "@/lib/platform/env/env";
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { Job } from "kubernetes-models/batch/v1/Job";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const models = [
  ConfigMap,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
  StatefulSet,
];

type Manifest = {
  apiVersion: string;
  kind: string;
  data?: Record<string, string>;
  spec?: unknown;
};

const folder = path.join(root, "deploy/kubernetes");
const manifests = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(folder, file), "utf8")).map(
    (document) => document.toJS() as Manifest,
  ),
);

/** The fields of a manifest that its schema does not know: the schema's validator never reads them. Throws its faults. */
function unknownFields(manifest: Manifest): string[] {
  const unread = new Set<string>();
  const watched = (value: unknown, at: string): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const inner = Object.entries(value).map(([key, each]): [string, unknown] => {
      unread.add(`${at}.${key}`);
      return [key, watched(each, `${at}.${key}`)];
    });
    return new Proxy(
      Array.isArray(value) ? inner.map(([, each]) => each) : Object.fromEntries(inner),
      {
        get: (target, key) => {
          unread.delete(`${at}.${String(key)}`);
          return Reflect.get(target, key) as unknown;
        },
      },
    );
  };
  const model = models.find(({ kind }) => kind === manifest.kind);
  expect(manifest.apiVersion).toBe(model?.apiVersion);
  model?.prototype.validate.call(watched(manifest, manifest.kind));
  return [...unread];
}

it.each(manifests)(
  "$kind is as its schema says, without a field that this does not know",
  (manifest) => {
    expect(unknownFields(manifest)).toEqual([]);
  },
);

it("finds a field that the schema does not know, and a value of the wrong type", () => {
  const service = { apiVersion: "v1", kind: "Service" };
  expect(unknownFields({ ...service, spec: { selectr: {} } })).toEqual(["Service.spec.selectr"]);
  expect(() => unknownFields({ ...service, spec: { ports: [{ port: "http" }] } })).toThrow(
    "port must be integer",
  );
});

it("sets variables of Gancho's alone", () => {
  const config = manifests.find(({ kind }) => kind === "ConfigMap");
  expect(unknownVariables(config?.data ?? {})).toEqual([]);
});

it("runs the image like deploy/compose.yaml: the same time to stop, no rights, a read-only file system", () => {
  const compose = parse(readFileSync(path.join(root, "deploy/compose.yaml"), "utf8")) as {
    services: { gancho: object };
  };
  expect(compose.services.gancho).toMatchObject({
    stop_grace_period: "40s",
    read_only: true,
    cap_drop: ["ALL"],
  });
  const rights = {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
  };
  const pods = manifests.filter(({ kind }) => kind === "StatefulSet" || kind === "Job");
  expect(pods).toMatchObject(
    pods.map(() => ({
      spec: {
        template: {
          spec: {
            securityContext: { runAsNonRoot: true, runAsUser: 10_001 },
            containers: [{ securityContext: rights }],
          },
        },
      },
    })),
  );
  const [instances] = pods.filter(({ kind }) => kind === "StatefulSet");
  expect(instances).toMatchObject({
    spec: { replicas: 2, template: { spec: { terminationGracePeriodSeconds: 40 } } },
  });
});
