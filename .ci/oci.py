"""What .ci/image needs of Python.

oci.py interpreter FILE               prints the loader that an ELF program names
oci.py archive DOCKERFILE ROOT OUT    writes ROOT as an archive for docker load, run as the last stage of DOCKERFILE says"""
import hashlib, io, json, os, re, struct, subprocess, sys, tarfile

DATA_OWNER = 65532


def interpreter(file):
    with open(file, "rb") as f:
        elf = f.read()
    at, size, count = struct.unpack_from("<Q", elf, 32)[0], *struct.unpack_from("<HH", elf, 54)
    for i in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", elf, at + i * size)
        if kind == 3:
            return elf[offset:offset + length].rstrip(b"\0").decode()
    sys.exit(f"{file} names no loader")


def seconds(text):
    return int(re.fullmatch(r"(\d+)s", text)[1]) * 10**9


def configuration(dockerfile):
    """The last stage of a Dockerfile in the words of an image's configuration."""
    with open(dockerfile, encoding="utf-8") as f:
        text = re.sub(r"(?m)^#.*\n", "", f.read()).replace("\\\n", " ")
    said = {}
    for line in text[text.rindex("\nFROM "):].splitlines():
        name, _, rest = line.strip().partition(" ")
        said[name] = " ".join(rest.split())
    health = re.fullmatch(r"--interval=(\S+) --timeout=(\S+) --start-period=(\S+) --retries=(\d+) CMD (\[.*\])", said["HEALTHCHECK"])
    return {
        "User": said["USER"], "WorkingDir": said["WORKDIR"], "Env": [said["ENV"]],
        "Entrypoint": json.loads(said["ENTRYPOINT"]), "Cmd": json.loads(said["CMD"]),
        "ExposedPorts": {said["EXPOSE"] + "/tcp": {}}, "Volumes": {said["VOLUME"]: {}},
        "Labels": dict(re.findall(r'(\S+)="([^"]*)"', said["LABEL"])),
        "Healthcheck": {
            "Test": ["CMD", *json.loads(health[5])], "Interval": seconds(health[1]), "Timeout": seconds(health[2]),
            "StartPeriod": seconds(health[3]), "Retries": int(health[4]),
        },
    }


def layer(root):
    made = io.BytesIO()

    def owned(entry):
        entry.uid = entry.gid = DATA_OWNER if entry.name == "data" else 0
        entry.uname = entry.gname = ""
        entry.mtime = 0
        return entry

    with tarfile.open(fileobj=made, mode="w") as t:
        for name in sorted(os.listdir(root)):
            t.add(os.path.join(root, name), name, filter=owned)
    return made.getvalue()


def archive(dockerfile, root, out):
    files = layer(root)
    digest = hashlib.sha256(files).hexdigest()
    machine = subprocess.run(["go", "env", "GOARCH"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    config = json.dumps({
        "architecture": machine, "os": "linux", "config": configuration(dockerfile),
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + digest]}, "history": [{"created_by": ".ci/image"}],
    }).encode()
    name = hashlib.sha256(config).hexdigest() + ".json"
    manifest = json.dumps([{"Config": name, "RepoTags": ["causal:latest"], "Layers": [digest + "/layer.tar"]}]).encode()
    with tarfile.open(out, "w") as t:
        for path, data in ((digest + "/layer.tar", files), (name, config), ("manifest.json", manifest)):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(data), 0o644
            t.addfile(entry, io.BytesIO(data))


if sys.argv[1] == "interpreter":
    print(interpreter(sys.argv[2]))
else:
    archive(*sys.argv[2:])
