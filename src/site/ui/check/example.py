import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision.models import resnet50

device = torch.device("cuda")
model = resnet50().to(device)
optimizer = torch.optim.AdamW(model.parameters())
loader = DataLoader(dataset, batch_size=256, shuffle=True, pin_memory=True)

for epoch in range(90):
    running = 0.0
    for images, labels in loader:
        images = images.to(device)
        labels = labels.to(device, non_blocking=True)
        loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
        print(f"epoch {epoch}, loss {loss:.3f}")
        torch.cuda.empty_cache()
